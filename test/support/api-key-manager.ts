import { randomBytes } from 'node:crypto';
import { createApiKeyManager, type ApiKeyManager } from '../../src/application/api-keys/api-key-manager.js';
import type { ApiKeyRegistry } from '../../src/domain/api-keys/api-keys.js';

/** The manager of the keys in a registry, with the clock and the random generator of this machine. */
export function apiKeyManagerOf(registry: ApiKeyRegistry): ApiKeyManager {
  return createApiKeyManager({ registry, now: () => new Date(), randomBytes });
}
