import { InvalidArgumentError } from 'commander';
import proxyAddr from 'proxy-addr';
import { isBasePath } from '../../adapters/http/pipeline/target.js';
import { isCorsOrigin } from '../../adapters/http/pipeline/cors.js';
import type { ApiKeyEntry } from '../../adapters/in-memory/in-memory-api-keys.js';
import { API_KEY_RULES, isApiKeyName, KEY_LIFETIME_MAX_MS } from '../../domain/api-keys/api-key.js';
import { originOf } from './urls.js';

/** For commander: throws an `InvalidArgumentError` with the rule that the text breaks. */
export type Parse<T> = (text: string) => T;

/** The longest time of a timer in Node, in milliseconds. */
export const TIMER_MAX_MS = 2 ** 31 - 1;

type Units = Readonly<Record<string, number>>;

const MS_BY_UNIT: Units = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `docker run --env-file` keeps quotes as part of a value, and so does `set` on Windows. */
function isQuoted(text: string): boolean {
  return /^(["']).*\1$/.test(text);
}

function invalid(rule: string): InvalidArgumentError {
  return new InvalidArgumentError(`It ${rule}.`);
}

/** Any text but mistakes: none, a flag whose value is missing before it, quotes that a shell has not removed. */
export const text: Parse<string> = (value) => {
  if (value === '') throw invalid('must not be empty');
  if (value.startsWith('--')) throw invalid('is missing: a flag follows');
  if (/\p{Cc}/u.test(value)) throw invalid('must not contain control characters');
  if (isQuoted(value)) throw invalid('begins and ends with a quote: remove the quotes');
  return value;
};

/** `parse` returns `undefined` for a text that breaks the rule. */
function ruled<T>(rule: string, parse: (text: string) => T | undefined): Parse<T> {
  return (given) => {
    const value = parse(text(given));
    if (value === undefined) throw invalid(rule);
    return value;
  };
}

/** Refuses SQLite's name for a database in memory, because its data would be lost. */
export const databaseFile = ruled('must be the path of a file', (value) => (value === ':memory:' ? undefined : value));

/** The empty unit stands for none. */
function amount(rule: string, minimum: number, maximum: number, units: Units): Parse<number> {
  return ruled(rule, (value) => {
    const { count, unit = '' } = /^(?<count>\d{1,16})(?<unit>[A-Za-z]*)$/.exec(value)?.groups ?? {};
    const number = Number(count) * (units[unit] ?? NaN);
    return number >= minimum && number <= maximum ? number : undefined;
  });
}

export function integer(minimum: number, maximum: number): Parse<number> {
  return amount(`must be an integer from ${minimum} to ${maximum}`, minimum, maximum, { '': 1 });
}

export function bytes(minimum: number, maximum: number): Parse<number> {
  const rule = `must be an integer from ${minimum} to ${maximum}, in bytes, or a size such as 64KiB or 1MiB`;
  return amount(rule, minimum, maximum, { '': 1, KiB: 1024, MiB: 1024 ** 2 });
}

export function milliseconds(minimum: number, maximum: number): Parse<number> {
  const rule = `must be an integer from ${minimum} to ${maximum}, in milliseconds, or a time such as 10s or 1m`;
  return amount(rule, minimum, maximum, { '': 1, ms: 1, ...MS_BY_UNIT });
}

/** In milliseconds. */
export function keyTime(minimum: number): Parse<number> {
  const rule = 'must be a whole number of s, m, h or d, such as 90d, at most 100 years';
  return amount(rule, minimum, KEY_LIFETIME_MAX_MS, MS_BY_UNIT);
}

/** A number of requests in a period of time. */
export interface Rate {
  readonly requests: number;
  readonly perMs: number;
}

export const rate = ruled(
  'must be an integer from 1 to 1000000000 and /s, /m or /h, such as 100/s',
  (value): Rate | undefined => {
    const { count, unit = '' } = /^(?<count>\d{1,10})\/(?<unit>[smh])$/.exec(value)?.groups ?? {};
    const requests = Number(count);
    return requests >= 1 && requests <= 1e9 ? { requests, perMs: MS_BY_UNIT[unit] ?? 0 } : undefined;
  },
);

function entriesOf(value: string): readonly string[] {
  return value.split(',').map((entry) => entry.trim());
}

export const corsOrigins = ruled(
  'must be origins separated by commas, such as https://shop.example, or * alone',
  (value) => {
    const origins = entriesOf(value);
    return origins.every(isCorsOrigin) && (origins.length === 1 || !origins.includes('*')) ? origins : undefined;
  },
);

/** proxy-addr calls the private ranges `uniquelocal`. */
export function rangeOfProxy(text: string): string {
  return text === 'private' ? 'uniquelocal' : text;
}

export const proxies = ruled(
  'must be IP addresses, ranges such as 10.0.0.0/8, and the words loopback and private, separated by commas',
  (value) => {
    const texts = entriesOf(value);
    return texts.every(isProxy) ? texts : undefined;
  },
);

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

export const apiKeyName = ruled(API_KEY_RULES.name, (value) => (isApiKeyName(value) ? value : undefined));

export const baseUrl = ruled(
  'must be an http or https URL without a query or credentials, whose path ends in /v1',
  (value) => {
    const { path = '' } = /^https?:\/\/[A-Za-z0-9.:[\]-]+(?<path>\/.*)$/.exec(value)?.groups ?? {};
    return URL.canParse(value) && isBasePath(path) ? value : undefined;
  },
);

/** Without credentials, so it may stand in a message. */
function isHttpUrl(value: string): boolean {
  return /^https?:\/\/[^@/?#]+(?:[/?#]|$)/i.test(value) && URL.canParse(value);
}

export const urlHost = ruled('must be a host name, or an IP address without brackets and zone', (value) =>
  !/[/?#@\\]/.test(value) && URL.canParse(originOf(value, 1)) ? value : undefined,
);

export const httpUrl = ruled('must be an http or https URL without credentials', (value) =>
  isHttpUrl(value) ? value : undefined,
);

/** Keys consist of visible ASCII characters, which a bearer token can contain. */
export const apiKeys: Parse<readonly ApiKeyEntry[]> = (value) => {
  if (/[\r\n]/.test(value)) throw invalid('must be name:key entries separated by commas, not by lines');
  const entries = entriesOf(text(value)).map((entry) => {
    const { name = '', key = '' } = /^(?<name>[^:]+):(?<key>[!-~]{16,})$/.exec(entry)?.groups ?? {};
    return { name, key, isFaulty: !isApiKeyName(name) || [entry, name, key].some(isQuoted) };
  });
  const faulty = entries.findIndex(({ isFaulty }) => isFaulty);
  if (faulty < 0) return entries.map(({ name, key }) => ({ name, key }));
  throw invalid(
    `must be name:key entries separated by commas, each key at least 16 visible ASCII characters, and none in quotes; entry ${faulty + 1} is not`,
  );
};
