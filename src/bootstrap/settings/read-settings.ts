import { ConfigError } from './config-error.js';
import { readFlags } from './read-flags.js';
import type { Setting, Settings, Values } from './setting.js';
import { SettingFault } from './value-types.js';

/** Where settings come from. */
export interface Source {
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** What is read beside the settings one by one. */
export interface ReadOptions<S extends Settings> {
  /** Finds what is wrong with the values together, and returns a line for each fault. */
  readonly check?: ((values: Values<S>) => readonly string[] | Promise<readonly string[]>) | undefined;
  /** The names of the words that the command takes, each of them needed. @default none */
  readonly words?: readonly string[];
}

/** The settings of a command, and its words. */
export interface ReadSettings<S extends Settings> {
  readonly values: Values<S>;
  readonly words: readonly string[];
}

/**
 * Reads settings from the flags of a command line and from the environment.
 *
 * Rejects with a `ConfigError` that lists every fault. It names flags and variables, but repeats no value: it may be a secret.
 */
export async function readSettings<S extends Settings>(
  settings: S,
  { args, env }: Source,
  { check, words: names = [] }: ReadOptions<S> = {},
): Promise<ReadSettings<S>> {
  const { flags, words, faults: flagFaults } = readFlags(settings, args);
  const faults = [...flagFaults];
  const surplus = words.length - names.length;
  if (surplus > 0) faults.push(`${surplus} argument${surplus === 1 ? '' : 's'} too many`);
  faults.push(...names.slice(words.length).map((name) => `${name} is needed`));
  const values = Object.fromEntries(
    Object.entries(settings).map(([name, setting]) => [name, readValue(setting, flags, env, faults)]),
  ) as Values<S>;
  if (check !== undefined) faults.push(...(await check(values)));
  if (faults.length > 0) throw new ConfigError(faults);
  return { values, words };
}

function readValue<T>(
  { flag = '', variable = '', type, fallback }: Setting<T>,
  flags: ReadonlyMap<string, string>,
  env: NodeJS.ProcessEnv,
  faults: string[],
): T | boolean {
  const byFlag = flags.get(flag);
  if (type === undefined) return byFlag !== undefined;
  const text = byFlag ?? (env[variable] || undefined);
  try {
    return text === undefined ? fallback : type.parse(text);
  } catch (error) {
    if (!(error instanceof SettingFault)) throw error;
    faults.push(`${byFlag === undefined ? variable : `--${flag}`} ${error.message}`);
    return fallback;
  }
}
