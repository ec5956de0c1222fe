import { parseArgs } from 'node:util';
import { SettingFault, type Setting } from './settings.js';

/** Settings by their name in the code. */
export type Settings = Readonly<Record<string, Setting<unknown>>>;

/** The value of each of the settings. */
export type Values<S extends Settings> = { readonly [K in keyof S]: S[K] extends Setting<infer T> ? T : never };

/** The values that count where nothing is given. */
export function defaultsOf<S extends Settings>(settings: S): Values<S> {
  const entries = Object.entries(settings).map(([name, { fallback }]) => [name, fallback]);
  return Object.fromEntries(entries) as Values<S>;
}

/** How settings are read beyond one by one. */
export interface ReadOptions<S extends Settings> {
  /** What is wrong with the values together: a line for each fault. */
  readonly check?: (values: Values<S>) => readonly string[] | Promise<readonly string[]>;
  /** What the arguments without a flag are, each of them needed. @default none */
  readonly positionals?: readonly string[];
}

/** Where settings come from. */
export interface Source {
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** Everything that is wrong with a configuration: one line for each fault. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(faults: readonly string[]) {
    super(`${faults.length} fault${faults.length === 1 ? '' : 's'} in the configuration:\n  ${faults.join('\n  ')}`);
  }
}

/**
 * Reads settings from the flags of a command line and from the environment.
 *
 * Rejects with a `ConfigError` which lists every fault, and repeats no text that was given: it may be a secret.
 */
export async function readSettings<S extends Settings>(
  settings: S,
  { args, env }: Source,
  { check, positionals = [] }: ReadOptions<S> = {},
): Promise<{ readonly values: Values<S>; readonly positionals: readonly string[] }> {
  const { flags, positionals: given, faults } = readFlags(settings, args);
  const leftOver = given.length - positionals.length;
  if (leftOver > 0) faults.push(`${leftOver} argument${leftOver === 1 ? '' : 's'} without a flag too many`);
  faults.push(...positionals.slice(given.length).map((name) => `${name} is needed`));
  const values = Object.fromEntries(
    Object.entries(settings).map(([name, setting]) => [name, readValue(setting, flags, env, faults)]),
  ) as Values<S>;
  if (check !== undefined) faults.push(...(await check(values)));
  if (faults.length > 0) throw new ConfigError(faults);
  return { values, positionals: given };
}

function readFlags(settings: Settings, args: readonly string[]) {
  const known = new Set(Object.values(settings).map(({ flag }) => flag));
  const options = Object.fromEntries([...known].flatMap((flag) => (flag ? [[flag, { type: 'string' as const }]] : [])));
  const { tokens } = parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true });
  const flags = new Map<string, string>();
  const positionals: string[] = [];
  const faults: string[] = [];
  let followsUnknownFlag = false;
  let last = -1;
  for (const token of tokens) {
    // Letters behind one dash come as flags of their own: the first stands for all.
    if (token.index === last) continue;
    last = token.index;
    // What follows an unknown flag is taken for its value.
    if (token.kind === 'positional' && !followsUnknownFlag) positionals.push(token.value);
    followsUnknownFlag = token.kind === 'option' && !known.has(token.name) && token.value === undefined;
    if (token.kind !== 'option') continue;
    if (!known.has(token.name)) faults.push(`${token.rawName} is not a flag of this command`);
    else if (token.value === undefined || (token.value.startsWith('--') && !token.inlineValue)) {
      faults.push(`${token.rawName} must have a value`);
    } else flags.set(token.name, token.value);
  }
  return { flags, positionals, faults };
}

function readValue<T>(
  setting: Setting<T>,
  flags: ReadonlyMap<string, string>,
  env: NodeJS.ProcessEnv,
  faults: string[],
): T {
  const { flag = '', variable = '', parse, fallback } = setting;
  const byFlag = flags.get(flag);
  const text = byFlag ?? (env[variable] || undefined);
  try {
    return text === undefined ? fallback : parse(text);
  } catch (error) {
    if (!(error instanceof SettingFault)) throw error;
    faults.push(`${byFlag === undefined ? variable : `--${flag}`} ${error.message}`);
    return fallback;
  }
}
