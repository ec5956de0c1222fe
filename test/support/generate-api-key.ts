import { randomBytes } from 'node:crypto';
import { makeApiKeyText } from '../../src/domain/api-key-text.js';

/** A key in the form of those that a registry issues, but issued by none. */
export function generateApiKey(): string {
  return makeApiKeyText(randomBytes(32));
}
