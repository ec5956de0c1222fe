import { parse } from 'json-custom-numbers';
import { parseInt64 } from '../domain/int64.js';

/** The maximum depth of nesting. With deeper `__proto__` members, the parser would build a long, slow chain of prototypes. */
export const MAX_DEPTH = 100;

/**
 * Matches a text that `JSON.parse` may read differently: with an integer of more than 15 digits, which a double may not hold
 * exactly, with a fraction or an exponent, or with `__proto__`, which an escape could hide. Also matches arrays, because the depth
 * of nesting is limited.
 */
const NOT_PLAIN = /[0-9]{16}|[0-9][.eE]|[\\[]|__proto__/;

const PLAIN_INTEGER = /^-?[0-9]{1,19}$/;
const NUMBER = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/;

/** The message continues a sentence that begins with the name of the text: `is not well-formed JSON: …`. It does not quote the text. */
export class JsonError extends Error {
  override readonly name = 'JsonError';
}

/**
 * Parses a JSON text (RFC 8259) without losing a digit. A number whose value is an int64, however it is written, becomes
 * the `bigint` of exactly that value. If a member is repeated, the last one counts. `__proto__` is ignored.
 *
 * @param otherNumber Returns the value of any other number, from its text. @default `NaN`
 * @throws JsonError with the position of the first syntax error, counted from 1, or for more than 100 levels.
 */
export function parseJson(text: string, otherNumber: (text: string) => unknown = () => Number.NaN): unknown {
  const plain = parsePlainObject(text);
  if (plain !== undefined) return plain;
  try {
    const value: unknown = parse(
      text,
      undefined,
      (_key, number) => parseNumber(number) ?? otherNumber(number),
      MAX_DEPTH,
    );
    // The parser lets a member `__proto__`, which may be written with escapes, set the prototype of its object.
    return text.includes('__proto__') || text.includes('\\u') ? withoutInherited(value) : value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    if (error.message.includes('too deeply nested')) {
      throw new JsonError(`is nested more than ${MAX_DEPTH} levels deep`);
    }
    throw new JsonError(`is not well-formed JSON: the error is at position ${positionOf(error, text)}`);
  }
}

/** `JSON.parse` is several times as fast. @returns `undefined` if it may give another value, and for malformed text. */
function parsePlainObject(text: string): object | undefined {
  if (NOT_PLAIN.test(text) || text.indexOf('{') !== text.lastIndexOf('{')) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const object = value as Record<string, unknown>;
  for (const [member, number] of Object.entries(object)) {
    if (typeof number === 'number') object[member] = BigInt(number);
  }
  return object;
}

/** Counted from 1. */
function positionOf({ message }: SyntaxError, text: string): number {
  let position = Number(/At position ([0-9]+)/.exec(message)?.[1]);
  if (!message.startsWith('Unexpected data after end')) return position;
  // The parser gives the end of the value before that data.
  while (' \t\r\n'.includes(text[position] ?? 'end')) position++;
  return position + 1;
}

/** The objects of the copy, at every depth, have only their own members and no prototype. */
function withoutInherited(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutInherited);
  const copy = Object.create(null) as Record<string, unknown>;
  for (const [name, member] of Object.entries(value)) copy[name] = withoutInherited(member);
  return copy;
}

function parseNumber(text: string): bigint | undefined {
  if (PLAIN_INTEGER.test(text)) return text === '-0' ? 0n : parseInt64(text);
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = NUMBER.exec(text) ?? [];
  const digits = whole + fraction;
  let start = 0;
  while (digits[start] === '0') start++;
  if (start === digits.length) return 0n;
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  const trailingZeros = Number(exponent) - fraction.length + digits.length - end;
  if (trailingZeros < 0 || end - start + trailingZeros > 19) return undefined;
  return parseInt64(sign + digits.slice(start, end) + '0'.repeat(trailingZeros));
}
