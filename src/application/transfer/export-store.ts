import { AnimalStoreError, messageOfFaults, type Fault } from '../../domain/errors.js';
import { allPets } from '../all-pets.js';
import { allRecordsOf } from '../api-keys/all-records.js';
import { makeListPets } from '../list-pets.js';
import { faultsOfDigest, faultsOfKey } from './record-faults.js';
import type { TransferPorts, StoreRecord } from './store-record.js';

/**
 * Exports everything that a store keeps, one record at a time: the animals by ascending id, each with the digest of its
 * idempotency key, then the records of API keys. A record contains the SHA-256 of a key, never the key. The animals of a
 * catalogue without the optional method `records` are exported without digests.
 *
 * Yields each record exactly once that was stored before the first one was requested. It may also yield records that are stored
 * in the meantime. Rejects as the ports do, and with `invalid_record` for a digest or an API key that no store would restore.
 *
 * @example
 * for await (const record of exportStore({ catalogue })) console.log(record.kind);
 */
export async function* exportStore({
  catalogue,
  registry,
}: TransferPorts): AsyncGenerator<StoreRecord, void, undefined> {
  if (catalogue.records !== undefined) {
    for await (const record of catalogue.records()) {
      refuse(`the animal ${record.pet.id}`, faultsOfDigest(record.idempotencyDigest));
      yield { kind: 'pet', ...record };
    }
  } else {
    for await (const pet of allPets({ listPets: makeListPets(catalogue) })) yield { kind: 'pet', pet };
  }
  if (registry === undefined) return;
  for await (const apiKey of allRecordsOf(registry)) {
    refuse(`the API key ${JSON.stringify(apiKey.id)}`, faultsOfKey(apiKey));
    yield { kind: 'apiKey', apiKey };
  }
}

function refuse(name: string, faults: readonly Fault[]): void {
  if (faults.length > 0) throw new AnimalStoreError('invalid_record', `${name}: ${messageOfFaults(faults)}`);
}
