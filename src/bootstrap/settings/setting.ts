import type { ValueType } from './value-types.js';

/** One setting of a command: the sources of its value, and the values that it accepts. */
export interface Setting<T> {
  /** The environment variable. An empty one counts as not set. */
  readonly variable?: string;
  /**
   * The flag's name without dashes. It overrides the variable. A secret has none, because command lines are visible to all
   * users of a machine.
   */
  readonly flag?: string;
  readonly help: string;
  /** How its text is read. A setting without a type is a switch: a flag without a value. */
  readonly type?: ValueType<T>;
  /** The value if neither flag nor variable is given. */
  readonly defaultValue: T;
  /** Whether giving neither is an error. @default false */
  readonly required?: boolean;
}

/** Settings by their name in the code. */
export type Settings = Readonly<Record<string, Setting<unknown>>>;

/** The value of each of the settings. */
export type Values<S extends Settings> = { readonly [K in keyof S]: S[K] extends Setting<infer T> ? T : never };

/** The value of a setting with this default, which is `undefined` if it has none. */
type ValueWith<T, D> = undefined extends D ? T | undefined : T;

/** Makes settings whose sources follow from a name. A setting without a default may be missing. */
function settingsFrom(sourcesOf: (name: string) => Pick<Setting<unknown>, 'variable' | 'flag'>) {
  return <T, D extends T | undefined = undefined>(
    name: string,
    help: string,
    type: ValueType<T>,
    defaultValue = undefined as D,
  ) => ({ ...sourcesOf(name), help, type, defaultValue }) as Setting<ValueWith<T, D>>;
}

/** A setting with a variable and a flag named after it: `BODY_LIMIT` and `--body-limit`. */
export const setting = settingsFrom((variable) => ({ variable, flag: flagOf(variable) }));

/** A setting that comes only from the environment. White space at its end is ignored. */
export const secret = settingsFrom((variable) => ({ variable }));

/** A setting that comes only from the command line. */
export const flagOnly = settingsFrom((flag) => ({ flag }));

/** The flag that is named after a variable. */
export function flagOf(variable: string): string {
  return variable.toLowerCase().replaceAll('_', '-');
}

/** A flag without a value: `true` if it is given. */
export function switchFlag(flag: string, help: string): Setting<boolean> {
  return { flag, help, defaultValue: false };
}

/** The default of a setting, as a user could write it; empty if it has none. */
export function defaultText({ type, defaultValue }: Setting<unknown>): string {
  if (typeof defaultValue !== 'string' && typeof defaultValue !== 'number') return '';
  return type?.format?.(defaultValue) ?? String(defaultValue);
}

export function defaultsOf<S extends Settings>(settings: S): Values<S> {
  const entries = Object.entries(settings).map(([name, { defaultValue }]) => [name, defaultValue]);
  return Object.fromEntries(entries) as Values<S>;
}
