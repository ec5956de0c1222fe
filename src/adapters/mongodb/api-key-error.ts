/**
 * What was asked of an API key cannot be done: no key has the id, or the key is no longer in force. `message` says which,
 * for people.
 */
export class ApiKeyError extends Error {
  override readonly name = 'ApiKeyError';
}
