import type { Principal } from '../../../domain/api-keys/api-keys.js';
import { HttpError } from '../pipeline/errors.js';
import { fieldOf, REPEATED } from '../pipeline/header-fields.js';

/**
 * A bare key, or a String of RFC 9651, section 3.3.3, without spaces. The OpenAPI document shows this pattern for any language: `[` is
 * escaped for Java, and generators write it between quotation marks, so it holds none (`\x22`), nor a second backslash (`\x5c`).
 */
const KEY = /^(?:([!#-~][!-~]{0,254})|\x22((?:[!#-\x5b\x5d-~]|\x5c[\x22\x5c]){1,255})\x22)$/;

/** Has no example, because tools would send the example for everyone. */
export const idempotencyKeySchema = { type: 'string', pattern: KEY.source };

export const IDEMPOTENCY_KEY_FIELD_RULE =
  'must be given once, and be 1 to 255 visible ASCII characters, bare or as a quoted string';

const MALFORMED = new HttpError('invalid_parameter', `Idempotency-Key ${IDEMPOTENCY_KEY_FIELD_RULE}`);

// By draft-ietf-httpapi-idempotency-key-header. The bare and the quoted form of a key are the same key.
// The Fetch API joins repeated fields with a comma and a space. The pattern refuses that, because no key contains a space.
export function idempotencyKeyOf(rawHeaders: readonly string[]): string | undefined {
  const value = fieldOf(rawHeaders, 'idempotency-key');
  if (value === undefined) return undefined;
  const [, bare, quoted] = (value === REPEATED ? null : KEY.exec(value)) ?? [];
  const key = bare ?? quoted?.replace(/\\(.)/g, '$1');
  if (key === undefined) throw MALFORMED;
  return key;
}

/** Unique for each pair, because no key contains a space. At most 768 code units, because a name has at most 512. */
export function scopedKey(key: string, principal: Principal | undefined): string {
  return `${key} ${principal?.name ?? ''}`;
}
