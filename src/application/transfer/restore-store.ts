import type { ApiKeyRecord } from '../../domain/api-keys/api-key.js';
import { AnimalStoreError, faultsOf, messageOfFaults, type Fault } from '../../domain/errors.js';
import { BATCH_MAX, type PetRecord } from '../../domain/pet-catalogue.js';
import { faultsOfNewPet, isPetId, PET_ID_RULE } from '../../domain/pet.js';
import { faultsOfDigest, faultsOfKey } from './record-faults.js';
import type { TransferPorts, RecordCounts, StoreRecord } from './store-record.js';

/** Options of {@link restoreStore}. */
export interface RestoreOptions {
  /** Called with the number of records that are done, after each batch of animals and each API key. */
  readonly onProgress?: ((records: number) => void) | undefined;
  /**
   * Returns the name of a record for messages, from its position, counted from 1.
   * @default `record 17`
   */
  readonly nameOf?: ((position: number) => string) | undefined;
}

/** The result of {@link restoreStore}. */
export interface RestoreStoreResult {
  /** How many records were stored. */
  readonly restored: RecordCounts;
  /** How many records were stored already. */
  readonly unchanged: RecordCounts;
}

/**
 * Restores the records of another store: animals with the same ids and idempotency keys, and API keys, which keep working. Records
 * that are stored already stay unchanged. So after an attempt that ended at any moment, you may restore the same records again.
 *
 * Reads the records once, in order, and keeps one batch of them in memory. Animals must ascend by id, as `exportStore` yields them.
 *
 * Rejects, and stops reading, with `invalid_record` for a record that breaks a rule; with `restore_conflict` if the store
 * already has something else with the id of a record, or with the digest of an idempotency key, and leaves it unchanged; with
 * `transfer_not_supported` if the store cannot restore the records; and as the ports and the iteration over the records do. Then
 * earlier records may be stored.
 *
 * @example
 * await restoreStore({ catalogue: newCatalogue }, exportStore({ catalogue: oldCatalogue }));
 */
export async function restoreStore(
  { catalogue, registry }: TransferPorts,
  records: AsyncIterable<StoreRecord> | Iterable<StoreRecord>,
  { onProgress, nameOf = (position): string => `record ${position}` }: RestoreOptions = {},
): Promise<RestoreStoreResult> {
  const restored = { pet: 0, apiKey: 0 };
  const unchanged = { pet: 0, apiKey: 0 };
  let position = 0;
  let lastId = 0n;
  let batch: PetRecord[] = [];
  const digests = new Set<string>();

  const conflict = (at: number, what: string): AnimalStoreError =>
    new AnimalStoreError('restore_conflict', `${nameOf(at)}: the store ${what}`);

  async function storeBatch(): Promise<void> {
    if (batch.length === 0) return;
    if (catalogue.restore === undefined) throw notSupported('this catalogue cannot restore animals with their ids');
    const result = await catalogue.restore(batch);
    restored.pet += result.restored;
    unchanged.pet += result.unchanged;
    const [first] = result.conflicts;
    if (first !== undefined) {
      const { id } = (batch[first] as PetRecord).pet;
      const at = position - batch.length + first + 1;
      throw conflict(
        at,
        `has another animal with the id ${id}, or another idempotency key for it, or this key for another id`,
      );
    }
    batch = [];
    digests.clear();
    onProgress?.(position);
  }

  async function storeKey(apiKey: ApiKeyRecord): Promise<void> {
    if (registry === undefined) throw notSupported('this store keeps no API keys');
    if (await registry.add(apiKey)) restored.apiKey++;
    else if (isSameKey(await registry.find(apiKey.id), apiKey)) unchanged.apiKey++;
    else throw conflict(position, `has another API key with the id ${apiKey.id}, or with its SHA-256`);
    onProgress?.(position);
  }

  for await (const record of records) {
    if (batch.length === BATCH_MAX || record.kind === 'apiKey') await storeBatch();
    position++;
    const faults = record.kind === 'pet' ? faultsOfPet(record, lastId, digests) : faultsOfKey(record.apiKey);
    if (faults.length > 0) {
      throw new AnimalStoreError('invalid_record', `${nameOf(position)}: ${messageOfFaults(faults)}`);
    }
    if (record.kind === 'apiKey') {
      await storeKey(record.apiKey);
      continue;
    }
    lastId = record.pet.id;
    if (record.idempotencyDigest !== undefined) digests.add(record.idempotencyDigest);
    batch.push(record);
  }
  await storeBatch();
  return { restored, unchanged };
}

function notSupported(message: string): AnimalStoreError {
  return new AnimalStoreError('transfer_not_supported', message);
}

function isSameKey(one: ApiKeyRecord | undefined, other: ApiKeyRecord): boolean {
  return one !== undefined && valuesOf(one) === valuesOf(other);
}

function valuesOf({ digest, name, lifetimeMs, createdAt, expiresAt, revokedAt }: ApiKeyRecord): string {
  return JSON.stringify([digest, name, lifetimeMs, createdAt, expiresAt, revokedAt]);
}

function faultsOfPet(
  { pet, idempotencyDigest }: PetRecord,
  lastId: bigint,
  digests: ReadonlySet<string>,
): readonly Fault[] {
  return [
    ...faultsOf(
      ['id', isPetId(pet.id), PET_ID_RULE],
      ['id', !isPetId(pet.id) || pet.id > lastId, `must be greater than ${lastId}, the previous id`],
    ),
    ...faultsOfNewPet(pet),
    ...faultsOfDigest(idempotencyDigest),
    ...faultsOf([
      'idempotencyDigest',
      idempotencyDigest === undefined || !digests.has(idempotencyDigest),
      'must not be that of another animal',
    ]),
  ];
}
