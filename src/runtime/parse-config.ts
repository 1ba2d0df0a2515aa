/** A RunConfig from outside, checked before a run may start. */
import * as v from 'valibot';
import { ConfigError } from './errors.ts';
import { type RunConfig, runConfigSchema } from './schema/config.ts';

/** The config. Throws a `ConfigError` `invalid_config` that names each field that is wrong and what was expected of it. */
export function parseConfig(config: unknown): RunConfig {
  const parsed = v.safeParse(runConfigSchema, config ?? {});
  if (parsed.success) return parsed.output;
  const problems = parsed.issues.map((issue) => `${v.getDotPath(issue) ?? 'config'}: ${issue.message}`);
  throw new ConfigError('invalid_config', `The config is not valid. ${problems.join('; ')}.`);
}
