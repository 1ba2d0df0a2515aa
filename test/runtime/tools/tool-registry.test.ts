import { describe, expect, it } from 'vitest';
import { defineTool } from '../../../src/runtime/tools/define-tool.ts';
import type { Tool } from '../../../src/runtime/tools/tool.ts';
import { createToolRegistry } from '../../../src/runtime/tools/tool-registry.ts';
import { thrownBy } from '../../support/thrown-by.ts';

/** A tool of any name, also one that `defineTool` refuses. */
function toolCalled(name: string): Tool {
  const tool = defineTool({ name: 'x', description: '', input: { type: 'object' }, execute: () => name });
  return { ...tool, definition: { ...tool.definition, name } };
}

describe('the registry', () => {
  it('finds tools by exactly their name, in the order given', () => {
    const tools = ['b', 'a', 'constructor', '__proto__'].map(toolCalled);
    const registry = createToolRegistry(tools);

    expect(registry.definitions).toEqual(tools.map((tool) => tool.definition));
    for (const tool of tools) expect(registry.get(tool.definition.name)).toBe(tool);
    expect(registry.get('A')).toBeUndefined();
  });

  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', ''])('knows no tool that it was not given: %j', (name) => {
    expect(createToolRegistry([toolCalled('a')]).get(name)).toBeUndefined();
    expect(createToolRegistry().get(name)).toBeUndefined();
  });

  it.each(['', 'a b', 'a.b', 'ä', 'a/b', 'x'.repeat(65), 'a\n'])('refuses a name that a provider refuses: %j', (name) => {
    const error = thrownBy(() => createToolRegistry([toolCalled(name)]));

    expect(error.code).toBe('bad_tool_name');
    expect(error.message).toContain(`Tool ${JSON.stringify(name)}: providers refuse this name.`);
  });

  it('refuses two tools of one name', () => {
    const error = thrownBy(() => createToolRegistry([toolCalled('a'), toolCalled('b'), toolCalled('a')]));

    expect(error.code).toBe('duplicate_tool');
    expect(error.message).toContain('Tool "a" is given twice.');
  });

  it('refuses a reserved name only when it is reserved', () => {
    expect(createToolRegistry([toolCalled('finish')]).get('finish')).toBeDefined();
    expect(thrownBy(() => createToolRegistry([toolCalled('finish')], { reserved: ['finish'] })).code).toBe('reserved_tool_name');
  });

  it('prepares its tools, and says which one cannot', async () => {
    const good = defineTool({ name: 'good', description: '', input: { type: 'object' }, execute: () => 1 });
    const bad = defineTool({
      name: 'bad',
      description: '',
      input: { type: 'object', properties: { a: { pattern: '(' } } },
      execute: () => 1,
    });

    await expect(createToolRegistry([good, toolCalled('plain')]).prepare()).resolves.toBeUndefined();
    await expect(createToolRegistry([good, bad]).prepare()).rejects.toThrow('Tool "bad": the pattern "(" at /properties/a/pattern');
  });
});
