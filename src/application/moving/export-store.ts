import { AnimalStoreError } from '../../domain/errors.js';
import { hasAddOnce } from '../../domain/pet-catalogue.js';
import { allPets } from '../all-pets.js';
import { allRecordsOf } from '../api-keys/list-keys.js';
import { makeListPets } from '../list-pets.js';
import type { MovingPorts, StoreRecord } from './store-record.js';

/** Options of {@link exportStore}. */
export interface ExportOptions {
  /** Whether to export only the animals. @default false */
  readonly animalsOnly?: boolean;
}

/**
 * Exports everything that a store keeps, one record at a time: the animals by ascending id, the records of API keys, and the
 * remembered creations. Keeps one page of them in memory. A record contains the SHA-256 of a key, never the key.
 *
 * Yields each record exactly once that was stored before the first one was requested. It may also yield records that are stored
 * in the meantime, and a creation without its animal: `restoreStore` leaves that creation out.
 *
 * Rejects with `transfer_not_supported` if the catalogue cannot list its creations, and as the ports do.
 *
 * @example
 * for await (const record of exportStore({ catalogue })) console.log(record.kind);
 */
export async function* exportStore(
  { catalogue, registry }: MovingPorts,
  { animalsOnly = false }: ExportOptions = {},
): AsyncGenerator<StoreRecord, void, undefined> {
  const creations = animalsOnly ? [] : (catalogue.listCreations?.() ?? (hasAddOnce(catalogue) ? undefined : []));
  if (creations === undefined) {
    throw new AnimalStoreError('transfer_not_supported', 'this catalogue cannot list the creations that it remembers');
  }
  for await (const pet of allPets({ listPets: makeListPets(catalogue) })) yield { kind: 'pet', pet };
  if (registry !== undefined && !animalsOnly) {
    for await (const apiKey of allRecordsOf(registry)) yield { kind: 'apiKey', apiKey };
  }
  for await (const creation of creations) yield { kind: 'creation', creation };
}
