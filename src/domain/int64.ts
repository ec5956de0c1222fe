/** The smallest 64-bit signed integer, −9223372036854775808. */
export const INT64_MIN = -9223372036854775808n;

/** The greatest 64-bit signed integer, 9223372036854775807. */
export const INT64_MAX = 9223372036854775807n;

/** An int64 as callers may write it: a `bigint`, or a `number` that is a safe integer. */
export type Int64Like = bigint | number;

/** It follows the name of the value in a sentence. */
export const INT64_RULE = `must be an integer from ${INT64_MIN} to ${INT64_MAX}`;

const CANONICAL = /^(?:0|-?[1-9][0-9]{0,18})$/;

/**
 * Reads an int64 in its canonical decimal form: no plus sign, no leading zero, no `-0`, no white space.
 *
 * @returns `undefined` for any other text, and for a number out of range.
 */
export function parseInt64(text: string): bigint | undefined {
  return CANONICAL.test(text) ? toInt64(BigInt(text)) : undefined;
}

/** @returns `undefined` for a `bigint` out of range, a `number` that may have been rounded, and any other type. */
export function toInt64(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value >= INT64_MIN && value <= INT64_MAX ? value : undefined;
  return Number.isSafeInteger(value) ? BigInt(value as number) : undefined;
}

/** Another rule for an int64 as a number that may have been rounded. */
export function int64RuleFor(value: unknown, rule = INT64_RULE): string {
  const mayBeRounded = Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value as number) <= 2 ** 63;
  return mayBeRounded ? 'must be a safe integer if it is a number: pass a bigint, or digits read by parseInt64' : rule;
}
