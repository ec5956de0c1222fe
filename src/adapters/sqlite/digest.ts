import { hash } from 'node:crypto';

/** The SHA-256 of a text in UTF-8: what the file holds in place of an API key, or of the text that names a creation. */
export function digestOf(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
