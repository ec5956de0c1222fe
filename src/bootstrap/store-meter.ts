import type { ApiKeys } from '../domain/api-keys/api-keys.js';
import type { PetCatalogue } from '../domain/pet-catalogue.js';

/** Measures the calls of the driven ports, whichever adapter is behind them. It is bound if metrics are on. */
export interface StoreMeter {
  /** The same catalogue, whose calls are measured. */
  measureCatalogue(catalogue: PetCatalogue): PetCatalogue;
  /** The same keys, whose look-ups are measured. */
  measureApiKeys(apiKeys: ApiKeys): ApiKeys;
}
