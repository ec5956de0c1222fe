import type { Principal } from '../../../domain/api-keys/api-keys.js';
import { HttpError } from '../pipeline/errors.js';
import { fieldOf, REPEATED } from '../pipeline/header-fields.js';

/**
 * A bare key, whose first character is not a quotation mark; or a String of RFC 9651, section 3.3.3, without spaces. The OpenAPI
 * document shows this pattern, so it must mean the same in other languages: `[` is escaped for Java, and generators write the
 * pattern between quotation marks, so it holds none (`\x22`), nor a second backslash (`\x5c`).
 */
const KEY = /^(?:([!#-~][!-~]{0,254})|\x22((?:[!#-\x5b\x5d-~]|\x5c[\x22\x5c]){1,255})\x22)$/;

/** Has no example, because tools would send the example for everyone. */
export const idempotencyKeySchema = { type: 'string', pattern: KEY.source };

/** Follows the name of the field in a sentence. */
export const IDEMPOTENCY_KEY_FIELD_RULE =
  'must be given once, and be 1 to 255 visible ASCII characters, bare or as a quoted string';

const MALFORMED = new HttpError('invalid_parameter', `Idempotency-Key ${IDEMPOTENCY_KEY_FIELD_RULE}`);

/**
 * The key in `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header): bare, or a quoted string in which `\"` and `\\` stand
 * for `"` and `\`. Both forms of a key are the same key.
 *
 * The Fetch API joins repeated fields with a comma and a space. That is detected, because no key contains a space.
 *
 * @returns `undefined` if the field was not sent.
 * @throws HttpError `invalid_parameter` if it is malformed, empty, or sent more than once.
 */
export function idempotencyKeyOf(rawHeaders: readonly string[]): string | undefined {
  const value = fieldOf(rawHeaders, 'idempotency-key');
  if (value === undefined) return undefined;
  const [, bare, quoted] = (value === REPEATED ? null : KEY.exec(value)) ?? [];
  const key = bare ?? quoted?.replace(/\\(.)/g, '$1');
  if (key === undefined) throw MALFORMED;
  return key;
}

/**
 * Keeps the keys of each principal apart. It is unique for each pair, because no client's key contains a space, and has at most
 * 768 code units, because a name has at most 512.
 */
export function scopedKey(key: string, principal: Principal | undefined): string {
  return `${key} ${principal?.name ?? ''}`;
}
