/**
 * The usage of a scripted call where the script does not say it, so that limits and traces have numbers. The rule:
 * one token for every four characters (UTF-16 units), rounded up. Input: system prompt, tool definitions as JSON, and all text
 * of the messages (texts, reasoning, tool names and arguments, results). Output: the same of the reply. Pictures count nothing.
 */
import type { ModelRequest } from '../../ports.ts';
import type { Block, Message } from '../../schema/message.ts';
import type { ToolDefinition } from '../../schema/tool-definition.ts';
import type { Usage } from '../../schema/usage.ts';
import type { ScriptUsage } from './script-schema.ts';

const CHARACTERS_A_TOKEN = 4;

/** Reckons the usage of the calls of one model; remembers the last request, so that a growing one costs only its growth. */
export class UsageReckoner {
  #messages: readonly Message[] = [];
  #messageCharacters = 0;
  #toolCharacters = new WeakMap<ToolDefinition, number>();

  /** Usage of a call: as the script says, else reckoned. */
  usageOf(request: ModelRequest, content: readonly Block[], said: ScriptUsage = {}): Usage {
    return {
      input_tokens: said.input_tokens ?? tokens(this.#inputCharacters(request)),
      output_tokens: said.output_tokens ?? tokens(charactersOf(content)),
      cache_read_tokens: said.cache_read_tokens ?? 0,
      cache_write_tokens: said.cache_write_tokens ?? 0,
      complete: said.complete ?? true,
    };
  }

  #inputCharacters(request: ModelRequest): number {
    let characters = request.system?.length ?? 0;
    for (const tool of request.tools) characters += this.#charactersOfTool(tool);
    return characters + this.#charactersOfMessages(request.messages);
  }

  #charactersOfTool(tool: ToolDefinition): number {
    const known = this.#toolCharacters.get(tool);
    if (known !== undefined) return known;
    const characters = JSON.stringify({ name: tool.name, description: tool.description, input_schema: tool.input_schema }).length;
    this.#toolCharacters.set(tool, characters);
    return characters;
  }

  #charactersOfMessages(messages: readonly Message[]): number {
    const grown = startsWith(messages, this.#messages);
    let characters = grown ? this.#messageCharacters : 0;
    for (let index = grown ? this.#messages.length : 0; index < messages.length; index += 1) {
      characters += charactersOf(messages[index]?.content ?? []);
    }
    this.#messages = messages;
    this.#messageCharacters = characters;
    return characters;
  }
}

function tokens(characters: number): number {
  return Math.ceil(characters / CHARACTERS_A_TOKEN);
}

function startsWith(messages: readonly Message[], head: readonly Message[]): boolean {
  if (messages.length < head.length) return false;
  // A plain loop: this is the one step whose cost grows with the history.
  for (let index = 0; index < head.length; index += 1) if (messages[index] !== head[index]) return false;
  return true;
}

function charactersOf(blocks: readonly Block[]): number {
  return blocks.reduce((sum, block) => sum + charactersOfBlock(block), 0);
}

function charactersOfBlock(block: Block): number {
  switch (block.type) {
    case 'text':
    case 'thinking':
      return block.text.length;
    case 'tool_use':
      return block.name.length + (block.arguments_text ?? JSON.stringify(block.arguments)).length;
    case 'tool_result':
      return charactersOf(block.content);
    case 'redacted_thinking':
      return block.data.length;
    case 'image':
      return 0;
    default:
      return block satisfies never;
  }
}
