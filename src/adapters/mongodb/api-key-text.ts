import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const PREFIX = 'ask_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const PATTERN = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);

/**
 * Makes a new API key: `ask_`, 32 random characters of base62 (190 bits), and 6 of the CRC32 of all that, so that a
 * scanner can tell a leaked key, and a mistyped one is known for it without a look-up.
 */
export function generateApiKey(): string {
  const text = PREFIX + randomBase62(RANDOM_LENGTH);
  return text + checksumOf(text);
}

/** Whether a text has the form of a key, its checksum included. Says nothing of whether it was ever issued. */
export function isApiKeyText(text: string): boolean {
  return PATTERN.test(text) && checksumOf(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);
}

/** Whether a text can be the name that a key is issued to: 1 to 256 printable characters, fit for a log. */
export function isApiKeyName(name: string): boolean {
  return /^\P{C}{1,256}$/u.test(name);
}

/** Random characters of base62, each as likely as any other. */
export function randomBase62(length: number): string {
  return Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

function checksumOf(text: string): string {
  let rest = crc32(text);
  let checksum = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    checksum = ALPHABET.charAt(rest % ALPHABET.length) + checksum;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return checksum;
}
