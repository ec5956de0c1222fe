import { AnimalStoreError } from '../../domain/errors.js';
import { allPets } from '../all-pets.js';
import { allRecordsOf } from '../api-keys/list-keys.js';
import { listPetsOf } from '../list-pets.js';
import type { MovingPorts, StoreRecord } from './store-record.js';

/** Options of {@link exportStore}. */
export interface ExportOptions {
  /** Whether to leave everything out but the animals. @default false */
  readonly animalsOnly?: boolean;
}

/**
 * Everything that a store keeps, one record at a time: the animals by ascending id, the API keys on record, and the creations
 * that it remembers. It holds a page of them in memory. A record holds the SHA-256 of a key, and no key.
 *
 * Gives each record exactly once that was there before the first one was asked for. It may give some that are stored
 * meanwhile, and a creation without its animal: `restoreStore` leaves that creation out.
 *
 * Rejects with `moving_not_supported` if the catalogue cannot give its creations, and as the ports do.
 *
 * @example
 * for await (const record of exportStore({ catalogue })) console.log(record.kind);
 */
export async function* exportStore(
  { catalogue, registry }: MovingPorts,
  { animalsOnly = false }: ExportOptions = {},
): AsyncGenerator<StoreRecord, void, undefined> {
  const creations = animalsOnly
    ? []
    : (catalogue.listCreations?.() ?? (catalogue.addOnce === undefined ? [] : undefined));
  if (creations === undefined) {
    throw new AnimalStoreError('moving_not_supported', 'this catalogue cannot give the creations that it remembers');
  }
  for await (const pet of allPets({ listPets: listPetsOf(catalogue) })) yield { kind: 'pet', pet };
  if (registry !== undefined && !animalsOnly) {
    for await (const apiKey of allRecordsOf(registry)) yield { kind: 'apiKey', apiKey };
  }
  for await (const creation of creations) yield { kind: 'creation', creation };
}
