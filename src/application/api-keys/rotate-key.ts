import {
  rotateApiKey,
  type ApiKeyMaterial,
  type ApiKeyRotation,
  type IssuedApiKey,
} from '../../domain/api-keys/api-key.js';
import type { ApiKeyRegistry } from '../../domain/api-keys/api-keys.js';
import { changeKey } from './change-key.js';
import { addIssuedKey } from './issue-key.js';

/**
 * The use case `rotate` in a registry. Sets the old key's expiry first: if the process ends before the successor is added, the
 * old key still expires as requested, and every active key was given to its owner.
 */
export function makeRotateKey(
  registry: ApiKeyRegistry,
  newMaterial: () => ApiKeyMaterial,
): (id: string, rotation: ApiKeyRotation) => Promise<IssuedApiKey> {
  return async (id, rotation) => {
    const { successor } = await changeKey(registry, id, (record) => {
      const { expiresAt, successor } = rotateApiKey(record, rotation, newMaterial());
      return { after: { ...record, expiresAt }, successor };
    });
    return addIssuedKey(successor, registry);
  };
}
