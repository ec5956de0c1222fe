import { hash } from 'node:crypto';

/** The SHA-256 of a text in UTF-8. The file stores it instead of an API key or an idempotency key. */
export function digestOf(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
