import type { ApiKeys } from '../domain/api-keys.js';

/** API keys of several origins: a key is in force where one of them, asked in turn, says so. */
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
