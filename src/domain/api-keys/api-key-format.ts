const PREFIX = 'ask_';
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const FORM = /^ask_[0-9A-Za-z]{38}$/;

/**
 * `ask_`, 32 characters of base62 that carry 190 random bits, and 6 for the CRC-32 of the rest: secret scanners recognise a leaked key, and
 * a mistyped key is refused without a look-up.
 *
 * @param random 32 random bytes.
 */
export function makeApiKeyText(random: Uint8Array): string {
  const number = random.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  const text = PREFIX + base62(number, SECRET_LENGTH);
  return text + base62(BigInt(crc32(text)), CHECKSUM_LENGTH);
}

/** Whether a text has the form of an API key, checksum included. Does not tell whether the key was ever issued. */
export function isApiKeyFormat(text: string): boolean {
  return FORM.test(text) && text.endsWith(base62(BigInt(crc32(text.slice(0, -CHECKSUM_LENGTH))), CHECKSUM_LENGTH));
}

function base62(number: bigint, length: number): string {
  let digits = '';
  for (let rest = number; digits.length < length; rest /= 62n) digits = BASE62.charAt(Number(rest % 62n)) + digits;
  return digits;
}

/** The CRC-32 of an ASCII text (ISO 3309, as in gzip: RFC 1952, section 8). */
function crc32(text: string): number {
  let crc = ~0;
  for (const character of text) {
    crc ^= character.charCodeAt(0);
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}
