import type { ApiKeys } from '../domain/api-keys/api-keys.js';

/** Accepts the keys of several origins, which it asks in turn. */
export function anyOf(...origins: readonly ApiKeys[]): ApiKeys {
  return {
    async verify(key) {
      for (const origin of origins) {
        const principal = await origin.verify(key);
        if (principal !== undefined) return principal;
      }
      return undefined;
    },
  };
}
