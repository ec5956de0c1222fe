import type { ApiKeyEntry } from '../../adapters/in-memory/in-memory-api-keys.js';
import { isBasePath } from '../../adapters/http/base-path.js';
import { isCorsOrigin } from '../../adapters/http/cors.js';
import { parseProxyRanges, PROXY_RANGE_RULE } from '../../adapters/http/proxies/proxy-range.js';
import { API_KEY_RULES, isApiKeyName, KEY_LIFETIME_MAX_MS } from '../../domain/api-keys/api-key.js';

/** The rule that a setting's text breaks: `must be …`. */
export class SettingError extends Error {}

/** How the text of a setting is read. */
export interface ValueType<T> {
  /** Stands for the value in the help: `--port <n>`. */
  readonly placeholder: string;
  /** @throws SettingError whose message does not repeat the text, because it may be a secret. */
  readonly parse: (text: string) => T;
  /** A text that `parse` reads as this value. @default the value as a string */
  format?(value: T): string;
}

/** Reads the text of a setting: its value, or the rule that the text breaks. */
export function readAs<T>({ parse }: ValueType<T>, text: string): { readonly value: T } | { readonly error: string } {
  try {
    return { value: parse(text) };
  } catch (error) {
    if (error instanceof SettingError) return { error: error.message };
    throw error;
  }
}

/** The factor of each unit; the empty unit stands for a number without a unit. */
type Units = Readonly<Record<string, number>>;

const MS_BY_UNIT: Units = { '': 1, ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const BYTES_PER_MIB = 1024 ** 2;
const BYTES_BY_UNIT: Units = { '': 1, KiB: 1024, MiB: BYTES_PER_MIB };

/** Whether a text contains a control character, which a terminal may execute instead of displaying it. */
export function hasControlCharacter(value: string): boolean {
  return /\p{Cc}/u.test(value);
}

/** Whether a text begins and ends with the same quote. */
export function isQuoted(value: string): boolean {
  return /^(?:".*"|'.*')$/s.test(value);
}

/** Any non-empty text without control characters. */
export function text(placeholder: string): ValueType<string> {
  return {
    placeholder,
    parse(value) {
      if (value === '') throw new SettingError('must not be empty');
      if (hasControlCharacter(value)) throw new SettingError('must not contain control characters');
      return value;
    },
  };
}

/** The path of a database file. Refuses SQLite's name for a database in memory, because its data would be lost. */
export const databaseFile: ValueType<string> = {
  placeholder: 'file',
  parse(value) {
    if (value === '' || value === ':memory:') throw new SettingError('must be the path of a file');
    return value;
  },
};

/** An integer in decimal digits, within bounds. */
export function integer(minimum: number, maximum: number): ValueType<number> {
  return {
    placeholder: 'n',
    parse: (value) =>
      within(minimum, maximum, amount(value, /^(?<count>[0-9]+)$/), `must be an integer from ${minimum} to ${maximum}`),
  };
}

/** A size in bytes: an integer, or one with `KiB` or `MiB`, such as `64KiB`. */
export function bytes(minimum: number, maximum: number): ValueType<number> {
  const rule = `must be an integer from ${minimum} to ${maximum}, in bytes, or a size such as 64KiB or 1MiB`;
  return {
    placeholder: 'bytes',
    format: (value) => (value % BYTES_PER_MIB === 0 ? `${value / BYTES_PER_MIB}MiB` : String(value)),
    parse: (value) =>
      within(minimum, maximum, amount(value, /^(?<count>[0-9]+)(?<unit>KiB|MiB)?$/, BYTES_BY_UNIT), rule),
  };
}

/** A duration in milliseconds: an integer, or one with `ms`, `s`, `m` or `h`, such as `10s`. */
export function milliseconds(minimum: number, maximum: number): ValueType<number> {
  const rule = `must be an integer from ${minimum} to ${maximum}, in milliseconds, or a time such as 500ms, 10s or 1m`;
  return {
    placeholder: 'ms',
    parse: (value) => within(minimum, maximum, amount(value, /^(?<count>[0-9]+)(?<unit>ms|s|m|h)?$/, MS_BY_UNIT), rule),
  };
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
  return {
    placeholder: 'time',
    parse: (value) =>
      within(minimum, KEY_LIFETIME_MAX_MS, amount(value, /^(?<count>0|[1-9][0-9]*)(?<unit>[smhd])$/, MS_BY_UNIT), rule),
  };
}

/** A number of requests in a period of time. */
export interface Rate {
  readonly requests: number;
  readonly perMs: number;
}

/** A rate: an integer and `/s`, `/m` or `/h`, such as `100/s`. */
export const rate: ValueType<Rate> = {
  placeholder: 'rate',
  parse(value) {
    const { requests, unit = '' } = /^(?<requests>[0-9]+)\/(?<unit>[smh])$/.exec(value)?.groups ?? {};
    const rule = 'must be an integer from 1 to 1000000000 and /s, /m or /h, such as 100/s';
    return { requests: within(1, 1e9, Number(requests), rule), perMs: MS_BY_UNIT[unit] ?? 0 };
  },
};

/** Comma-separated origins, or `*`. */
export const corsOrigins: ValueType<readonly string[]> = {
  placeholder: 'origin,…',
  parse(value) {
    const origins = value.split(',').map((origin) => origin.trim());
    if (origins.every(isCorsOrigin) && (origins.length === 1 || !origins.includes('*'))) return origins;
    throw new SettingError('must be origins separated by commas, such as https://shop.example, or * alone');
  },
};

/** Comma-separated addresses and ranges of reverse proxies, and the words `loopback` and `private`. */
export const proxies: ValueType<readonly string[]> = {
  placeholder: 'proxy,…',
  parse(value) {
    const texts = value.split(',').map((text) => text.trim());
    if (texts.every((text) => parseProxyRanges(text) !== undefined)) return texts;
    throw new SettingError(`${PROXY_RANGE_RULE}, separated by commas`);
  },
};

/** The name for a new key. */
export const apiKeyName: ValueType<string> = {
  placeholder: 'name',
  parse(value) {
    if (isApiKeyName(value)) return value;
    throw new SettingError(API_KEY_RULES.name);
  },
};

/** One of several choices. */
export function oneOf<T extends string>(choices: readonly T[]): ValueType<T> {
  return {
    placeholder: 'word',
    parse(value) {
      const choice = choices.find((each) => each === value);
      if (choice === undefined) throw new SettingError(`must be one of ${choices.join(', ')}`);
      return choice;
    },
  };
}

/** An address whose path can be the base path. */
export const baseUrl: ValueType<string> = {
  placeholder: 'url',
  parse(value) {
    const { path = '' } = /^https?:\/\/[A-Za-z0-9.:[\]-]+(?<path>\/.*)$/.exec(value)?.groups ?? {};
    if (URL.canParse(value) && isBasePath(path)) return value;
    throw new SettingError('must be an http or https URL without a query or credentials, whose path ends in /v1');
  },
};

/** An address of a service, which may stand in a message. */
export const httpUrl: ValueType<string> = {
  placeholder: 'url',
  parse(value) {
    if (/^https?:\/\/[^@/?#]+(?:[/?#]|$)/i.test(value) && URL.canParse(value)) return value;
    throw new SettingError('must be an http or https URL without credentials');
  },
};

/** Comma-separated keys, each `name:key`. A key consists of visible ASCII characters, which a bearer token can contain. */
export const apiKeys: ValueType<readonly ApiKeyEntry[]> = {
  placeholder: 'name:key,…',
  parse(value) {
    const texts = value.split(',').map((entry) => entry.trim());
    const quoted = texts.flatMap((text, i) => (text.split(':').some(isQuoted) || isQuoted(text) ? [i + 1] : []));
    if (quoted.length > 0) {
      throw new SettingError(
        `must have no quotes around an entry, a name or a key; invalid: entry ${quoted.join(', ')}`,
      );
    }
    const entries = texts.map((text) => {
      const { name = '', key = '' } = /^(?<name>[^:]+):(?<key>[!-~]{16,})$/.exec(text)?.groups ?? {};
      return { name, key };
    });
    const invalid = entries.flatMap(({ name }, i) => (isApiKeyName(name) ? [] : [i + 1]));
    if (invalid.length > 0) {
      throw new SettingError(
        `must be name:key entries separated by commas, each name 1 to 256 printable characters, each key at least 16 visible ASCII characters; invalid: entry ${invalid.join(', ')}`,
      );
    }
    return entries;
  },
};

/** Multiplies the `count` of a text by the factor of its `unit`. Returns `NaN` if the text does not match. */
function amount(value: string, pattern: RegExp, units: Units = { '': 1 }): number {
  const { count, unit = '' } = pattern.exec(value)?.groups ?? {};
  return Number(count) * (units[unit] ?? 0);
}

function within(minimum: number, maximum: number, value: number, rule: string): number {
  if (value >= minimum && value <= maximum) return value;
  throw new SettingError(rule);
}
