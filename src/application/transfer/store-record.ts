import type { ApiKeyRecord } from '../../domain/api-keys/api-key.js';
import type { ApiKeyRegistry } from '../../domain/api-keys/api-keys.js';
import type { PetCatalogue, PetRecord } from '../../domain/pet-catalogue.js';

/** One record of an animal store, as it is exported and restored. */
export type StoreRecord =
  ({ readonly kind: 'pet' } & PetRecord) | { readonly kind: 'apiKey'; readonly apiKey: ApiKeyRecord };

/** The driven ports of the store that records are moved from or to. */
export interface TransferPorts {
  readonly catalogue: PetCatalogue;
  /** @default the store keeps no API keys */
  readonly registry?: ApiKeyRegistry | undefined;
}

/** How many records of each kind there are. */
export type RecordCounts = Readonly<Record<StoreRecord['kind'], number>>;
