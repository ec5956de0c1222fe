import type { ApiKeyEntry } from '../adapters/in-memory/in-memory-api-keys.js';
import { isBasePath } from '../adapters/http/base-path.js';
import { isApiKeyName } from '../domain/api-key.js';

/** The rule that a setting's text breaks: `must be …`. */
export class SettingFault extends Error {}

const MAX_DURATION = 36_500 * 86_400_000;

/** One setting of the command: where it comes from, and what it may be. */
export interface Setting<T> {
  /** The environment variable; an empty one counts as not set. */
  readonly variable?: string;
  /** The flag, which wins over the variable. A secret has none: everybody on a machine sees its command lines. */
  readonly flag?: string;
  readonly help: string;
  /** @throws SettingFault */
  readonly parse: (text: string) => T;
  /** What counts where neither is given. */
  readonly fallback: T;
}

/** A setting with a variable, and a flag named after it. */
export function setting<T>(variable: string, help: string, parse: (text: string) => T, fallback: T): Setting<T> {
  return { variable, flag: flagOf(variable), help, parse, fallback };
}

/** A setting that comes from the environment only. */
export function secret<T>(variable: string, help: string, parse: (text: string) => T, fallback: T): Setting<T> {
  return { variable, help, parse, fallback };
}

/** A setting that comes from the command line only. */
export function flagOnly<T>(flag: string, help: string, parse: (text: string) => T, fallback: T): Setting<T> {
  return { flag, help, parse, fallback };
}

function flagOf(variable: string): string {
  return variable.toLowerCase().replaceAll('_', '-');
}

/** Any text but none. */
export function text(value: string): string {
  if (value === '') throw new SettingFault('must not be empty');
  return value;
}

/** An integer in decimal digits, within bounds. */
export function integer(minimum: number, maximum: number): (value: string) => number {
  return (value) => {
    const number = /^[0-9]{1,16}$/.test(value) ? Number(value) : Number.NaN;
    if (number >= minimum && number <= maximum) return number;
    throw new SettingFault(`must be an integer from ${minimum} to ${maximum}`);
  };
}

/** One of a few words. */
export function oneOf<T extends string>(choices: readonly T[]): (value: string) => T {
  return (value) => {
    const choice = choices.find((each) => each === value);
    if (choice === undefined) throw new SettingFault(`must be one of ${choices.join(', ')}`);
    return choice;
  };
}

/** An address whose path can be the base path. */
export function baseUrl(value: string): string {
  const [, path = ''] = /^https?:\/\/[A-Za-z0-9.:[\]-]+(\/.*)$/.exec(value) ?? [];
  if (URL.canParse(value) && isBasePath(path)) return value;
  throw new SettingFault('must be an http or https URL without query and credentials, whose path ends in /v1');
}

/** A span of time, in milliseconds. */
export function duration(value: string): number {
  const [, count = '', unit = ''] = /^([1-9][0-9]{0,8})([smhd])$/.exec(value) ?? [];
  const milliseconds = Number(count) * ({ s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }[unit] ?? 0);
  if (milliseconds > 0 && milliseconds <= MAX_DURATION) return milliseconds;
  throw new SettingFault('must be a whole number of s, m, h or d, such as 90d, of 100 years at the most');
}

/** Comma-separated keys, each `name:key`; a key has no character that a bearer token could not carry. */
export function apiKeys(value: string): readonly ApiKeyEntry[] {
  const entries = value.split(',').map((entry) => /^([^:]+):([!-~]{16,})$/.exec(entry.trim()));
  const faulty = entries.flatMap((entry, i) => (isApiKeyName(entry?.[1]) ? [] : [i + 1]));
  if (faulty.length > 0) {
    throw new SettingFault(
      `must be name:key entries with commas between, each name 1 to 256 printable characters, each key at least 16 visible ASCII characters; at fault: entry ${faulty.join(', ')}`,
    );
  }
  return entries.flatMap((entry) => (entry === null ? [] : [{ name: entry[1] as string, key: entry[2] as string }]));
}
