import type { ApiKeyRecord } from '../../domain/api-keys/api-key.js';
import type { ApiKeyRegistry } from '../../domain/api-keys/api-keys.js';
import { AnimalStoreError, faultsOf, messageOfFaults, type Fault } from '../../domain/errors.js';
import { BATCH_MAX, type PetRecord, type RestoreResult } from '../../domain/pet-catalogue.js';
import { faultsOfNewPet, isPetId, PET_ID_RULE } from '../../domain/pet.js';
import { faultsOfDigest, faultsOfKey } from './record-faults.js';
import type { MovingPorts, RecordCounts, StoreRecord } from './store-record.js';

/** Options of {@link restoreStore}. */
export interface RestoreOptions {
  /** Called with the number of records that are done: with 0 before the first batch is stored, and after each batch. */
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
  ports: MovingPorts,
  records: AsyncIterable<StoreRecord> | Iterable<StoreRecord>,
  { onProgress, nameOf = (position): string => `record ${position}` }: RestoreOptions = {},
): Promise<RestoreStoreResult> {
  const restored = { pet: 0, apiKey: 0 };
  const unchanged = { pet: 0, apiKey: 0 };
  let position = 0;
  let lastId = 0n;
  let batch: StoreRecord[] = [];
  const digests = new Set<string>();

  async function storeBatch(): Promise<void> {
    const [first] = batch;
    if (first === undefined) return;
    if (position === batch.length) onProgress?.(0);
    const result = await storeIn(ports, batch);
    restored[first.kind] += result.restored;
    unchanged[first.kind] += result.unchanged;
    const [conflict] = result.conflicts;
    if (conflict !== undefined) {
      const name = nameOf(position - batch.length + conflict + 1);
      throw new AnimalStoreError('restore_conflict', `${name}: ${conflictText(batch[conflict] as StoreRecord)}`);
    }
    batch = [];
    digests.clear();
    onProgress?.(position);
  }

  for await (const record of records) {
    if (batch.length === BATCH_MAX || (batch[0] ?? record).kind !== record.kind) await storeBatch();
    position++;
    const faults = record.kind === 'pet' ? faultsOfPet(record, lastId, digests) : faultsOfKey(record.apiKey);
    if (faults.length > 0) {
      throw new AnimalStoreError('invalid_record', `${nameOf(position)}: ${messageOfFaults(faults)}`);
    }
    if (record.kind === 'pet') {
      lastId = record.pet.id;
      if (record.once !== undefined) digests.add(record.once);
    }
    batch.push(record);
  }
  await storeBatch();
  return { restored, unchanged };
}

/** Stores records of one kind. */
async function storeIn({ catalogue, registry }: MovingPorts, records: readonly StoreRecord[]): Promise<RestoreResult> {
  const pets = records.filter((record) => record.kind === 'pet');
  if (pets.length > 0) {
    if (catalogue.restore === undefined) throw notSupported('this catalogue cannot restore animals with their ids');
    return catalogue.restore(pets);
  }
  if (registry === undefined) throw notSupported('this store keeps no API keys');
  return addKeys(
    registry,
    records.filter((record) => record.kind === 'apiKey').map(({ apiKey }) => apiKey),
  );
}

function notSupported(message: string): AnimalStoreError {
  return new AnimalStoreError('transfer_not_supported', message);
}

/** Adds the records that are missing. */
async function addKeys(registry: ApiKeyRegistry, apiKeys: readonly ApiKeyRecord[]): Promise<RestoreResult> {
  const conflicts: number[] = [];
  let restored = 0;
  for (const [i, apiKey] of apiKeys.entries()) {
    if (await registry.add(apiKey)) restored++;
    else if (!isSameKey(await registry.find(apiKey.id), apiKey)) conflicts.push(i);
  }
  return { restored, unchanged: apiKeys.length - restored - conflicts.length, conflicts };
}

function isSameKey(one: ApiKeyRecord | undefined, other: ApiKeyRecord): boolean {
  return one !== undefined && valuesOf(one) === valuesOf(other);
}

function valuesOf({ sha256, name, lifetimeMs, createdAt, expiresAt, revokedAt }: ApiKeyRecord): string {
  return JSON.stringify([sha256, name, lifetimeMs, createdAt, expiresAt, revokedAt]);
}

function conflictText(record: StoreRecord): string {
  return record.kind === 'pet'
    ? `the store has another animal with the id ${record.pet.id}, or keeps its idempotency key otherwise`
    : `the store has another API key with the id ${record.apiKey.id}, or with its SHA-256`;
}

function faultsOfPet({ pet, once }: PetRecord, lastId: bigint, digests: ReadonlySet<string>): readonly Fault[] {
  const isAscending = !isPetId(pet.id) || pet.id > lastId;
  return [
    ...faultsOf(
      ['id', isPetId(pet.id), PET_ID_RULE],
      ['id', isAscending, `must be greater than ${lastId}, the previous id`],
    ),
    ...faultsOfNewPet(pet),
    ...faultsOfDigest(once),
    ...faultsOf(['once', once === undefined || !digests.has(once), 'must not be that of another animal']),
  ];
}
