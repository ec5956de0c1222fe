import { hash } from 'node:crypto';

/**
 * The SHA-256 of a text in UTF-8. The file stores it instead of an API key or an idempotency key.
 *
 * By way of a string, because a buffer from `hash` has memory of its own, which takes twice as long.
 */
export function digestOf(text: string): Buffer {
  return Buffer.from(hash('sha256', text, 'binary'), 'binary');
}
