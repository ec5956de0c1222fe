import {
  issueApiKey,
  type ApiKeyMaterial,
  type ApiKeyRequest,
  type IssuedApiKey,
} from '../../domain/api-keys/api-key.js';
import type { ApiKeyRegistry } from '../../domain/api-keys/api-keys.js';
import { sha256Of } from '../sha256.js';

/** The use case `issue` in a registry. */
export function makeIssueKey(
  registry: ApiKeyRegistry,
  newMaterial: () => ApiKeyMaterial,
): (request: ApiKeyRequest) => Promise<IssuedApiKey> {
  return async (request) => addIssuedKey(issueApiKey(request, newMaterial()), registry);
}

/** Adds the record of an issued key to a registry. Resolves to the issued key once that is durable. */
export async function addIssuedKey(issued: IssuedApiKey, registry: ApiKeyRegistry): Promise<IssuedApiKey> {
  const { key, ...apiKey } = issued;
  if (await registry.add({ ...apiKey, sha256: await sha256Of(key) })) return issued;
  throw new Error('the new API key already exists: the random generator repeated itself');
}
