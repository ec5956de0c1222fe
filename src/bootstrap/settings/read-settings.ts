import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { ConfigError } from './config-error.js';
import { readFlags } from './read-flags.js';
import { flagOnly, type Setting, type Settings, type Values } from './setting.js';
import { isQuoted, text as anyText } from './value-types.js';

const ENV_FILE = flagOnly(
  'env-file',
  'a file of environment variables, as node --env-file reads it; those that are set already win',
  anyText('file'),
);

/** The sources of settings. */
export interface SettingSources {
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** The name of a setting in an error message: its flag if that was given, otherwise its variable. */
export type NameOf<Name> = (setting: Name) => string;

/** The context of loading, in addition to the values. */
export interface LoadContext<S extends Settings> {
  readonly env: NodeJS.ProcessEnv;
  readonly nameOf: NameOf<keyof S>;
}

/** Options for reading, in addition to the settings. */
export interface ReadOptions<S extends Settings, L> {
  /** The names of the positional arguments of the command, all of them required. @default none */
  readonly positionals?: readonly string[];
  /**
   * Loads what the values name, and rejects with a `ConfigError` for errors that only loading can find. It runs even if there
   * are other errors, so that all are listed together; then an invalid setting has its default. It must not open anything.
   * @default loads nothing
   */
  readonly load?: ((values: Values<S>, context: LoadContext<S>) => Promise<L>) | undefined;
}

/** The settings of a command, its positional arguments, and what was loaded by them. */
export interface ReadSettings<S extends Settings, L> {
  readonly values: Values<S>;
  readonly positionals: readonly string[];
  readonly nameOf: NameOf<keyof S>;
  readonly loaded: L;
}

/**
 * Reads settings from the flags of a command line and from the environment.
 *
 * Rejects with a `ConfigError` that lists every error. It names flags and variables, but does not repeat values, because they
 * may be secrets.
 */
export async function readSettings<S extends Settings, L>(
  settings: S,
  { args, env: given }: SettingSources,
  { load, positionals: names = [] }: ReadOptions<S, L> = {},
): Promise<ReadSettings<S, L>> {
  const { flags, positionals, errors: flagErrors } = readFlags({ ...settings, ...commonSettings(settings) }, args);
  const errors = [...flagErrors];
  const envFile = textOfFile(flags.get('env-file'), '--env-file', errors) ?? '';
  const env = { ...parseEnv(envFile), ...nonEmpty(given) };
  const surplus = positionals.length - names.length;
  if (surplus > 0) errors.push(`${surplus} argument${surplus === 1 ? '' : 's'} too many`);
  errors.push(...names.slice(positionals.length).map((name) => `${name} is required`));
  const values = Object.fromEntries(
    Object.entries(settings).map(([name, setting]) => [name, readValue(setting, flags, env, errors)]),
  ) as Values<S>;
  const nameOf: NameOf<keyof S> = (setting) => nameIn(flags, settings[setting] as Setting<unknown>);
  try {
    const loaded = (await load?.(values, { env, nameOf })) as L;
    if (errors.length === 0) return { values, positionals, nameOf, loaded };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    // A setting that could not be read has its default here, which `load` may report as an error: the first error is enough.
    const subjects = new Set(errors.map(subjectOf));
    errors.push(...error.errors.filter((each) => !subjects.has(subjectOf(each))));
  }
  throw new ConfigError(errors);
}

/** The subject of an error: the flag or the variable that it begins with. */
function subjectOf(error: string): string {
  return error.split(' ', 1)[0] ?? '';
}

/** The settings of every command that reads variables. */
export function commonSettings(settings: Settings): Settings {
  return Object.values(settings).some(({ variable }) => variable !== undefined) ? { envFile: ENV_FILE } : {};
}

/** The text of a file; `undefined` if none is given. Adds an error if it cannot be read. */
function textOfFile(file: string | undefined, subject: string, errors: string[]): string | undefined {
  if (file === undefined) return undefined;
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    errors.push(`${subject} cannot be read: ${(error as NodeJS.ErrnoException).code}`);
    return undefined;
  }
}

/** The variables that count as set. */
function nonEmpty(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value));
}

/**
 * The text of a variable, or, of a secret, of the file that its variable with `_FILE` names. White space at the end of a secret, such
 * as the line feed of a file, does not count. Adds to the errors.
 */
function textOf({ variable, flag }: Setting<unknown>, env: NodeJS.ProcessEnv, errors: string[]): string | undefined {
  if (variable === undefined) return undefined;
  const name = `${variable}_FILE`;
  const [text, file] = [env[variable] || undefined, env[name]];
  if (flag !== undefined) return text;
  if (!file) return text?.trimEnd();
  if (text !== undefined) errors.push(`${name} must not be set together with ${variable}`);
  return textOfFile(file, `${name} names a file that`, errors)?.trimEnd();
}

function readValue<T>(
  setting: Setting<T>,
  flags: ReadonlyMap<string, string>,
  env: NodeJS.ProcessEnv,
  errors: string[],
): T | boolean {
  const { flag = '', type, defaultValue, required = false } = setting;
  if (type === undefined) return flags.has(flag);
  const text = flags.get(flag) ?? textOf(setting, env, errors);
  if (text === undefined) {
    if (required) errors.push(`${nameIn(flags, setting)} is required`);
    return defaultValue;
  }
  const result = isQuoted(text) ? { error: QUOTED } : type.read(text);
  if ('value' in result) return result.value;
  errors.push(`${nameIn(flags, setting)} ${result.error}`);
  return defaultValue;
}

/** `docker run --env-file` keeps quotes as part of the value, and so does `set` on Windows. */
const QUOTED = 'begins and ends with a quote, which would be part of the value: remove the quotes';

/** The user's name for a setting: its flag if that is given or there is no variable, otherwise its variable. */
function nameIn(flags: ReadonlyMap<string, string>, { flag = '', variable }: Setting<unknown>): string {
  return variable === undefined || flags.has(flag) ? `--${flag}` : variable;
}
