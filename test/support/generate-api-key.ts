import { randomBytes } from 'node:crypto';
import { makeApiKeyText } from '../../src/domain/api-keys/api-key-format.js';

/** A key of the form that registries issue, but which no registry has issued. */
export function generateApiKey(): string {
  return makeApiKeyText(randomBytes(32));
}
