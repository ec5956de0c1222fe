import { API_KEY_RULES, isApiKeyName, isDuration, type ApiKeyRecord } from '../../domain/api-keys/api-key.js';
import type { ApiKeyRegistry } from '../../domain/api-keys/api-keys.js';
import { AnimalStoreError, faultsOf, messageOfFaults, type Fault } from '../../domain/errors.js';
import type { CreationRecord } from '../../domain/idempotency-key.js';
import { BATCH_MAX, type Restoration } from '../../domain/pet-catalogue.js';
import { faultsOfNewPet, isPetId, PET_ID_RULE, type Pet } from '../../domain/pet.js';
import type { MovingPorts, RecordCounts, StoreRecord } from './store-record.js';

const KEY_ID_RULE = 'must be 1 to 64 of A-Z, a-z, 0-9, _ and -';
const TIME_RULE = 'must be a time';
const SHA256_RULE = 'must be 64 lower-case hexadecimal digits';

/** Options of {@link restoreStore}. */
export interface RestoreOptions {
  /** Called with the number of records that are done: with 0 before the first batch is stored, and after each batch. */
  readonly onProgress?: ((records: number) => void) | undefined;
  /**
   * Returns the name of a record for messages, from its position, counted from 1.
   * @default `record 17`
   */
  readonly nameOf?: ((place: number) => string) | undefined;
}

/** The result of {@link restoreStore}. */
export interface RestoreResult {
  /** How many records were stored. */
  readonly restored: RecordCounts;
  /** How many equal records were stored already. */
  readonly present: RecordCounts;
  /** How many creations were left out, because their animals were neither among the records nor in the store. */
  readonly leftOut: number;
}

/**
 * Restores the records of another store: animals with the same ids, API keys, which keep working, and the remembered creations.
 * Equal records that are stored already stay unchanged. So after an attempt that ended at any moment, you may restore the same
 * records again.
 *
 * Reads the records once, in order, and keeps one batch of them in memory. Animals must ascend by id and come before their
 * creations, as `exportStore` yields them.
 *
 * Rejects, and stops reading, with `invalid_record` for a record that breaks a rule; with `restore_conflict` if the store
 * already has something else with the id of an animal or of a key, or with the key of a creation, and leaves it unchanged; with
 * `transfer_not_supported` if the store cannot restore the records; and as the ports and the iteration over the records do. Then
 * earlier records may be stored.
 *
 * @example
 * await restoreStore({ catalogue: newCatalogue }, exportStore({ catalogue: oldCatalogue }));
 */
export async function restoreStore(
  ports: MovingPorts,
  records: AsyncIterable<StoreRecord> | Iterable<StoreRecord>,
  { onProgress, nameOf = (place): string => `record ${place}` }: RestoreOptions = {},
): Promise<RestoreResult> {
  const restored = { pet: 0, apiKey: 0, creation: 0 };
  const present = { pet: 0, apiKey: 0, creation: 0 };
  let leftOut = 0;
  let place = 0;
  let lastId = 0n;
  let batch: StoreRecord[] = [];

  async function storeBatch(): Promise<void> {
    const [first] = batch;
    if (first === undefined) return;
    if (place === batch.length) onProgress?.(0);
    const { kind } = first;
    const done = await storeIn(ports, batch);
    restored[kind] += done.restored;
    present[kind] += done.present;
    for (const refused of done.refused) {
      const record = batch[refused] as StoreRecord;
      if (await isWithoutAnimal(ports, record)) leftOut++;
      else {
        const name = nameOf(place - batch.length + refused + 1);
        throw new AnimalStoreError('restore_conflict', `${name}: ${conflictText(record)}`);
      }
    }
    batch = [];
    onProgress?.(place);
  }

  for await (const record of records) {
    if (batch.length === BATCH_MAX || (batch[0] ?? record).kind !== record.kind) await storeBatch();
    place++;
    const faults = faultsOfRecord(record, lastId);
    if (faults.length > 0) throw new AnimalStoreError('invalid_record', `${nameOf(place)}: ${messageOfFaults(faults)}`);
    if (record.kind === 'pet') lastId = record.pet.id;
    batch.push(record);
  }
  await storeBatch();
  return { restored, present, leftOut };
}

/** Stores records of one kind. */
async function storeIn({ catalogue, registry }: MovingPorts, records: readonly StoreRecord[]): Promise<Restoration> {
  const apiKeys = records.flatMap((record) => (record.kind === 'apiKey' ? [record.apiKey] : []));
  if (apiKeys.length > 0) {
    if (registry === undefined) throw notSupported('this store keeps no API keys');
    return addKeys(registry, apiKeys);
  }
  const pets = records.flatMap((record) => (record.kind === 'pet' ? [record.pet] : []));
  if (pets.length > 0) {
    if (catalogue.restore === undefined) throw notSupported('this catalogue cannot restore animals with their ids');
    return catalogue.restore(pets);
  }
  const creations = records.flatMap((record) => (record.kind === 'creation' ? [record.creation] : []));
  if (catalogue.restoreCreations === undefined) {
    throw notSupported('this catalogue cannot restore the creations of another store');
  }
  return catalogue.restoreCreations(creations);
}

function notSupported(message: string): AnimalStoreError {
  return new AnimalStoreError('transfer_not_supported', message);
}

/** Whether a record is a creation whose animal is not stored: it was made while the animals were read. */
async function isWithoutAnimal({ catalogue }: MovingPorts, record: StoreRecord): Promise<boolean> {
  return record.kind === 'creation' && (await catalogue.find(record.creation.petId)) === undefined;
}

/** Adds the records that are missing. */
async function addKeys(registry: ApiKeyRegistry, apiKeys: readonly ApiKeyRecord[]): Promise<Restoration> {
  const refused: number[] = [];
  let restored = 0;
  for (const [i, apiKey] of apiKeys.entries()) {
    if (await registry.add(apiKey)) restored++;
    else if (!isSameKey(await registry.find(apiKey.id), apiKey)) refused.push(i);
  }
  return { restored, present: apiKeys.length - restored - refused.length, refused };
}

function isSameKey(one: ApiKeyRecord | undefined, other: ApiKeyRecord): boolean {
  return one !== undefined && valuesOf(one) === valuesOf(other);
}

function valuesOf({ sha256, name, lifetimeMs, createdAt, expiresAt, revokedAt }: ApiKeyRecord): string {
  return JSON.stringify([sha256, name, lifetimeMs, createdAt, expiresAt, revokedAt]);
}

function conflictText(record: StoreRecord): string {
  switch (record.kind) {
    case 'pet':
      return `the store has another animal with the id ${record.pet.id}`;
    case 'apiKey':
      return `the store has another API key with the id ${record.apiKey.id}, or with its SHA-256`;
    case 'creation':
      return `the store has another animal for the idempotency key that created animal ${record.creation.petId}`;
  }
}

function faultsOfRecord(record: StoreRecord, lastId: bigint): readonly Fault[] {
  switch (record.kind) {
    case 'pet':
      return faultsOfPet(record.pet, lastId);
    case 'apiKey':
      return faultsOfKey(record.apiKey);
    case 'creation':
      return faultsOfCreation(record.creation);
  }
}

function faultsOfPet(pet: Pet, lastId: bigint): readonly Fault[] {
  const faults = faultsOfNewPet(pet);
  if (!isPetId(pet.id)) return [{ member: 'id', rule: PET_ID_RULE }, ...faults];
  if (pet.id > lastId) return faults;
  return [{ member: 'id', rule: `must be greater than ${lastId}, the previous id` }, ...faults];
}

function faultsOfKey(apiKey: ApiKeyRecord): readonly Fault[] {
  const { id, sha256, name, lifetimeMs, createdAt, expiresAt, revokedAt } = apiKey;
  return faultsOf(
    ['id', typeof id === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(id), KEY_ID_RULE],
    ['sha256', isSha256(sha256), SHA256_RULE],
    ['name', isApiKeyName(name), API_KEY_RULES.name],
    ['lifetimeMs', lifetimeMs === undefined || isDuration(lifetimeMs, 1), API_KEY_RULES.lifetimeMs],
    ['createdAt', isTime(createdAt), TIME_RULE],
    ['expiresAt', expiresAt === undefined || isTime(expiresAt), TIME_RULE],
    ['revokedAt', revokedAt === undefined || isTime(revokedAt), TIME_RULE],
  );
}

function faultsOfCreation({ sha256, petId, at }: CreationRecord): readonly Fault[] {
  return faultsOf(
    ['sha256', isSha256(sha256), SHA256_RULE],
    ['petId', isPetId(petId), PET_ID_RULE],
    ['at', isTime(at), TIME_RULE],
  );
}

function isSha256(value: unknown): boolean {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
}

function isTime(value: unknown): boolean {
  return value instanceof Date && !Number.isNaN(value.getTime());
}
