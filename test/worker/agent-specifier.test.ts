import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { agentSpecifier } from '../../src/worker/agent-specifier.ts';

const folder = mkdtempSync(join(tmpdir(), 'steerloop-agent-'));
afterAll(() => rmSync(folder, { recursive: true }));
mkdirSync(join(folder, 'node_modules', 'an-agent'), { recursive: true });
writeFileSync(join(folder, 'node_modules', 'an-agent', 'index.js'), 'module.exports = {};');
writeFileSync(join(folder, 'here.js'), '');

const url = (...parts: string[]) => pathToFileURL(join(folder, ...parts)).href;

describe('the specifier of an agent module', () => {
  it.each([
    ['a path', './here.js', url('here.js')],
    ['a path upwards', join('..', basename(folder), 'here.js'), url('here.js')],
    ['an absolute path', join(folder, 'here.js'), url('here.js')],
    ['the name of a file that is there', 'here.js', url('here.js')],
    ['a package beside the working directory', 'an-agent', url('node_modules', 'an-agent', 'index.js')],
    ['a package that cannot be found from there', 'not-installed', 'not-installed'],
    ['a URL of a file', url('here.js'), url('here.js')],
    ['any other URL', 'data:text/javascript,export default {}', 'data:text/javascript,export default {}'],
  ])('may be %s', (_what, specifier, expected) => {
    expect(agentSpecifier(specifier, folder)).toBe(expected);
  });

  it.each(['./missing.js', '/nowhere/missing.js', 'file:///nowhere/missing.js'])(
    '%s, a file that is not there, is refused by name',
    (specifier) => {
      expect(() => agentSpecifier(specifier, folder)).toThrow(
        expect.objectContaining({ code: 'agent_not_found', message: expect.stringContaining('missing.js') }),
      );
    },
  );
});
