/**
 * Manifest: command tools as data, after the YAML was read and checked and every default filled in.
 * Nothing here runs anything; `commandTools` makes tools of it, `describeManifest` a page to read.
 */
import { DEFAULTS } from '../../runtime/schema/config.ts';
import type { JsonObject } from '../../runtime/schema/json.ts';
import type { ToolEffect } from '../../runtime/schema/tool-definition.ts';
import type { Template } from './template.ts';

/** A manifest that loaded without a problem. */
export interface Manifest {
  /** The file, as it was named by whoever loaded it; only for messages. */
  readonly path: string;
  readonly tools: readonly ManifestTool[];
}

/** One command tool. */
export interface ManifestTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments, always of type `object` and closed: `additionalProperties` is false whatever the file says. */
  readonly parameters: JsonObject;
  /** The program, then its arguments. The program holds no placeholder; one with a slash is looked up from `cwd`, else in PATH. */
  readonly command: readonly Template[];
  readonly timeoutMs: number;
  /** Whether each call needs a person's consent. This version can ask nobody: such a call is denied, unless confirmation is skipped. */
  readonly confirm: boolean;
  /** Most bytes of a result, its notes included. */
  readonly maxOutputBytes: number;
  /** Directory to run in. A relative one is taken from the directory that this process runs in, never from the manifest's. */
  readonly cwd?: string;
  readonly env: EnvironmentRule;
  readonly effect: ToolEffect;
  readonly interruptible: boolean;
  readonly okExitCodes: readonly number[];
  /** Whether a value may begin an argument with `-`. */
  readonly allowFlagValues: boolean;
}

/** Which environment variables a command gets: everything but the runtime's keys, or the allowlist and what the tool names. */
export type EnvironmentRule =
  | { readonly kind: 'inherit' }
  | {
      readonly kind: 'allowlist';
      /** Further names that are passed on when they are set. */
      readonly pass: readonly string[];
      /** Variables with a value of the manifest's own. */
      readonly set: Readonly<Record<string, string>>;
    };

/** What a tool gets for each key that its manifest leaves out. `interruptible` follows from `effect`. */
export const MANIFEST_DEFAULTS = {
  timeoutMs: DEFAULTS.manifestToolTimeoutMs,
  confirm: false,
  maxOutputBytes: DEFAULTS.resultCapBytes,
  effect: 'write',
  okExitCodes: [0],
  allowFlagValues: false,
} as const;
