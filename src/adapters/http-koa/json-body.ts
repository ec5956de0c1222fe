import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { parse as parseContentType } from 'content-type';
import { parse } from 'json-custom-numbers';
import { parseInt64 } from '../../domain/int64.js';
import { HttpError } from './errors.js';
import { fieldValues } from './request.js';

/** How deep arrays and objects may nest: a chain of prototypes, which the parser can be made to build, slows it down. */
const MAX_DEPTH = 100;

const PLAIN_INTEGER = /^-?[0-9]{1,19}$/;
const NUMBER = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/;

/**
 * Reads the body of a request that has to be JSON in UTF-8, and returns its text.
 *
 * @param limit The greatest size, in bytes.
 * @throws HttpError `invalid_body` where there is none, or it is not UTF-8; `unsupported_media_type`; `body_too_large`.
 */
export async function readJsonText(request: IncomingMessage, limit: number): Promise<string> {
  if (Number(request.headers['content-length']) > limit) throw tooLarge(limit);
  const body = await collect(request, limit);
  if (body.length === 0) throw missingBody();
  refuseOtherMedia(request);
  if (!isUtf8(body)) throw new HttpError('invalid_body', 'the body is not valid UTF-8');
  return body.toString();
}

function refuseOtherMedia({ headers, rawHeaders }: IncomingMessage): void {
  const { 'content-type': type = '', 'content-encoding': coding } = headers;
  if (fieldValues(rawHeaders, 'content-type').length !== 1 || (type !== 'application/json' && !isUtf8Json(type))) {
    throw new HttpError('unsupported_media_type', 'Content-Type must be application/json, in charset utf-8 or without');
  }
  if (coding !== undefined && coding.toLowerCase() !== 'identity') {
    throw new HttpError('unsupported_media_type', 'Content-Encoding must be identity, or be left out');
  }
}

function isUtf8Json(contentType: string): boolean {
  const { type, parameters } = parseContentType(contentType);
  return type === 'application/json' && (parameters['charset'] ?? 'utf-8').toLowerCase() === 'utf-8';
}

/** Collects a body in a buffer that doubles. What comes beyond the limit is read and dropped: the client sees the answer. */
function collect(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let body: Buffer = Buffer.alloc(0);
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      const start = size;
      size += chunk.length;
      if (size > limit) reject(tooLarge(limit));
      else if (start === 0) body = chunk;
      else {
        if (size > body.length) body = Buffer.concat([body], Math.max(size, 2 * body.length));
        chunk.copy(body, start);
      }
    });
    request.on('end', () => resolve(body.subarray(0, size)));
    request.on('error', () => reject(new HttpError('bad_request', 'the request ended before its body was whole')));
  });
}

function missingBody(): HttpError {
  return new HttpError('invalid_body', 'the body is missing: it must be a JSON object');
}

function tooLarge(limit: number): HttpError {
  return new HttpError('body_too_large', `the body must not be larger than ${limit} bytes`);
}

/**
 * Parses a JSON text (RFC 8259) without the loss of a digit: a number whose value is an int64, however it is written,
 * comes back as the `bigint` of exactly that value, every other number as `NaN`. The last of repeated members counts, and
 * `__proto__` is no member.
 *
 * @throws HttpError `invalid_body`, with the position of the first fault, counted from 1; also for more than 100 levels.
 */
export function parseJson(text: string): unknown {
  try {
    return ownMembers(parse(text, undefined, (_key, digits) => parseNumber(digits), MAX_DEPTH));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    if (error.message.includes('too deeply nested')) {
      throw new HttpError('invalid_body', `the body is nested more than ${MAX_DEPTH} levels deep`);
    }
    const position = /At position ([0-9]+)/.exec(error.message)?.[1] ?? 'unknown';
    throw new HttpError('invalid_body', `the body is not well-formed JSON: the fault is at position ${position}`);
  }
}

/** The parser lets a member `__proto__` set the prototype of its object: what is inherited from there is no member. */
function ownMembers(value: unknown): unknown {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  const inherits = isObject && Object.getPrototypeOf(value) !== Object.prototype;
  return inherits ? Object.assign(Object.create(null), value) : value;
}

/** The exact value of a JSON number where it is an int64, otherwise `NaN`. */
function parseNumber(text: string): bigint | number {
  if (PLAIN_INTEGER.test(text)) return parseInt64(text) ?? (text === '-0' ? 0n : Number.NaN);
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = NUMBER.exec(text) ?? [];
  const digits = whole + fraction;
  let start = 0;
  while (digits[start] === '0') start++;
  if (start === digits.length) return 0n;
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  const trailingZeros = Number(exponent) - fraction.length + digits.length - end;
  if (trailingZeros < 0 || end - start + trailingZeros > 19) return Number.NaN;
  return parseInt64(sign + digits.slice(start, end) + '0'.repeat(trailingZeros)) ?? Number.NaN;
}
