import proxyAddr from 'proxy-addr';
import type { ApiKeyEntry } from '../../adapters/in-memory/in-memory-api-keys.js';
import { isBasePath } from '../../adapters/http/pipeline/target.js';
import { isCorsOrigin } from '../../adapters/http/pipeline/cors.js';
import { API_KEY_RULES, isApiKeyName, KEY_LIFETIME_MAX_MS } from '../../domain/api-keys/api-key.js';

/** The value of a text, or the rule that it breaks: `must be …`. It does not repeat the text, which may be a secret. */
export type Reading<T> = { readonly value: T } | { readonly error: string };

/** How the text of a setting is read. */
export interface ValueType<T> {
  /** Stands for the value in the help: `--port <n>`. */
  readonly placeholder: string;
  readonly read: (text: string) => Reading<T>;
  /** A text that `read` reads as this value. @default the value as a string */
  format?(value: T): string;
}

/** A type with one rule. `parse` returns `undefined` for a text that breaks it. */
function valueType<T>(placeholder: string, rule: string, parse: (text: string) => T | undefined): ValueType<T> {
  return {
    placeholder,
    read(text) {
      const value = parse(text);
      return value === undefined ? { error: rule } : { value };
    },
  };
}

/** The longest time of a timer in Node, in milliseconds. */
export const TIMER_MAX_MS = 2 ** 31 - 1;

/** The factor of each unit; the empty unit stands for a number without a unit. */
type Units = Readonly<Record<string, number>>;

const MS_BY_UNIT: Units = { '': 1, ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
const BYTES_PER_MIB = 1024 ** 2;
const BYTES_BY_UNIT: Units = { '': 1, KiB: 1024, MiB: BYTES_PER_MIB };

/** An integer in decimal digits and a unit; as a multiple of the unit whose factor is 1. */
function amount(
  placeholder: string,
  rule: string,
  [minimum, maximum]: readonly [number, number],
  units: Units,
  pattern = /^(?<count>[0-9]+)(?<unit>[A-Za-z]*)$/,
): ValueType<number> {
  return valueType(placeholder, rule, (text) => {
    const { count, unit = '' } = pattern.exec(text)?.groups ?? {};
    const value = Number(count) * (units[unit] ?? NaN);
    return value >= minimum && value <= maximum ? value : undefined;
  });
}

/** Whether a text begins and ends with the same quote. */
export function isQuoted(value: string): boolean {
  return /^(?:".*"|'.*')$/s.test(value);
}

/** A text, by default any but the empty one. It has no control characters, which a terminal may execute instead of displaying. */
export function text(
  placeholder: string,
  rule = 'must not be empty',
  isValid = (value: string): boolean => value !== '',
): ValueType<string> {
  return {
    placeholder,
    read(value) {
      if (/\p{Cc}/u.test(value)) return { error: 'must not contain control characters' };
      return isValid(value) ? { value } : { error: rule };
    },
  };
}

/** The path of a database file. Refuses SQLite's name for a database in memory, because its data would be lost. */
export const databaseFile = valueType('file', 'must be the path of a file', (value) =>
  value === '' || value === ':memory:' ? undefined : value,
);

/** An integer in decimal digits, within bounds. */
export function integer(minimum: number, maximum: number): ValueType<number> {
  return amount('n', `must be an integer from ${minimum} to ${maximum}`, [minimum, maximum], { '': 1 });
}

/** A size in bytes: an integer, or one with `KiB` or `MiB`, such as `64KiB`. */
export function bytes(minimum: number, maximum: number): ValueType<number> {
  const rule = `must be an integer from ${minimum} to ${maximum}, in bytes, or a size such as 64KiB or 1MiB`;
  return {
    ...amount('bytes', rule, [minimum, maximum], BYTES_BY_UNIT),
    format: (value) => (value % BYTES_PER_MIB === 0 ? `${value / BYTES_PER_MIB}MiB` : String(value)),
  };
}

/** A duration in milliseconds: an integer, or one with `ms`, `s`, `m` or `h`, such as `10s`. */
export function milliseconds(minimum: number, maximum: number): ValueType<number> {
  const rule = `must be an integer from ${minimum} to ${maximum}, in milliseconds, or a time such as 500ms, 10s or 1m`;
  return amount('ms', rule, [minimum, maximum], MS_BY_UNIT);
}

/** As {@link milliseconds}; shown in seconds. */
export function seconds(minimum: number, maximum: number): ValueType<number> {
  return { ...milliseconds(minimum, maximum), format: (value) => `${value / 1000}s` };
}

/** How long a key works: a whole number of `s`, `m`, `h` or `d`; in milliseconds. */
export const lifetime = keyTime(1, 'must be a whole number of s, m, h or d, such as 90d, and at most 100 years');

/** How long a rotated key continues to work: as {@link lifetime}, or `0s`. */
export const overlap = keyTime(0, 'must be a whole number of s, m, h or d, such as 1d or 0s, and at most 100 years');

function keyTime(minimum: number, rule: string): ValueType<number> {
  const units = { ...MS_BY_UNIT, d: 86_400_000 };
  return amount('time', rule, [minimum, KEY_LIFETIME_MAX_MS], units, /^(?<count>0|[1-9][0-9]*)(?<unit>[smhd])$/);
}

/** A number of requests in a period of time. */
export interface Rate {
  readonly requests: number;
  readonly perMs: number;
}

/** A rate: an integer and `/s`, `/m` or `/h`, such as `100/s`. */
export const rate: ValueType<Rate> = valueType(
  'rate',
  'must be an integer from 1 to 1000000000 and /s, /m or /h, such as 100/s',
  (value) => {
    const { count, unit = '' } = /^(?<count>[0-9]+)\/(?<unit>[smh])$/.exec(value)?.groups ?? {};
    const requests = Number(count);
    return requests >= 1 && requests <= 1e9 ? { requests, perMs: MS_BY_UNIT[unit] ?? 0 } : undefined;
  },
);

/** The entries of a comma-separated text. */
function entriesOf(value: string): readonly string[] {
  return value.split(',').map((entry) => entry.trim());
}

/** Comma-separated origins, or `*`. */
export const corsOrigins = valueType(
  'origin,…',
  'must be origins separated by commas, such as https://shop.example, or * alone',
  (value) => {
    const origins = entriesOf(value);
    return origins.every(isCorsOrigin) && (origins.length === 1 || !origins.includes('*')) ? origins : undefined;
  },
);

/** An address or range of {@link proxies} as proxy-addr has it: it calls the private ranges `uniquelocal`. */
export function rangeOfProxy(text: string): string {
  return text === 'private' ? 'uniquelocal' : text;
}

function isProxy(text: string): boolean {
  if (text === 'loopback' || text === 'private') return true;
  // proxy-addr would read the number 1 as the address 0.0.0.1.
  if (!/[.:]/.test(text)) return false;
  try {
    proxyAddr.compile(text);
    return true;
  } catch {
    // proxy-addr has no other way to tell that a text is neither an address nor a range.
    return false;
  }
}

/** Comma-separated addresses and ranges of reverse proxies, and the words `loopback` and `private`. */
export const proxies = valueType(
  'proxy,…',
  'must be IP addresses, ranges such as 10.0.0.0/8, and the words loopback and private, separated by commas',
  (value) => {
    const texts = entriesOf(value);
    return texts.every(isProxy) ? texts : undefined;
  },
);

export const apiKeyName = valueType('name', API_KEY_RULES.name, (value) => (isApiKeyName(value) ? value : undefined));

/** One of several choices. */
export function oneOf<T extends string>(choices: readonly T[]): ValueType<T> {
  return valueType('word', `must be one of ${choices.join(', ')}`, (value) => choices.find((each) => each === value));
}

/** An address whose path can be the base path. */
export const baseUrl = valueType(
  'url',
  'must be an http or https URL without a query or credentials, whose path ends in /v1',
  (value) => {
    const { path = '' } = /^https?:\/\/[A-Za-z0-9.:[\]-]+(?<path>\/.*)$/.exec(value)?.groups ?? {};
    return URL.canParse(value) && isBasePath(path) ? value : undefined;
  },
);

/** An address of a service, which may stand in a message. */
export const httpUrl = valueType('url', 'must be an http or https URL without credentials', (value) =>
  /^https?:\/\/[^@/?#]+(?:[/?#]|$)/i.test(value) && URL.canParse(value) ? value : undefined,
);

/** Comma-separated keys, each `name:key`. A key consists of visible ASCII characters, which a bearer token can contain. */
export const apiKeys: ValueType<readonly ApiKeyEntry[]> = {
  placeholder: 'name:key,…',
  read(value) {
    const texts = entriesOf(value);
    const quoted = numbersOf(texts, (text) => isQuoted(text) || text.split(':').some(isQuoted));
    if (quoted !== '')
      return { error: `must have no quotes around an entry, a name or a key; invalid: entry ${quoted}` };
    const entries = texts.map((text) => {
      const { name = '', key = '' } = /^(?<name>[^:]+):(?<key>[!-~]{16,})$/.exec(text)?.groups ?? {};
      return { name, key };
    });
    const invalid = numbersOf(entries, ({ name }) => !isApiKeyName(name));
    if (invalid === '') return { value: entries };
    const rule =
      'must be name:key entries separated by commas, each name 1 to 256 printable characters, each key at least 16 visible ASCII characters';
    return { error: `${rule}; invalid: entry ${invalid}` };
  },
};

/** The numbers, from 1, of the entries that are selected, separated by commas. */
function numbersOf<T>(entries: readonly T[], isSelected: (entry: T) => boolean): string {
  return entries.flatMap((entry, i) => (isSelected(entry) ? [i + 1] : [])).join(', ');
}
