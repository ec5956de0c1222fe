/** Code of a user of the package, in the strictest TypeScript. A test compiles it and runs it. */
import assert from 'node:assert/strict';
import {
  AnimalStoreError,
  createAnimalStore,
  INT64_MAX,
  INT64_MIN,
  isAnimalStoreError,
  isPetStatus,
  LIST_LIMIT,
  makePet,
  NAME_MAX_LENGTH,
  parseInt64,
  parseNewPet,
  PET_STATUSES,
  type AnimalStore,
  type AnimalStoreErrorCode,
  type ApiKeys,
  type Fault,
  type Int64Like,
  type ListPetsInput,
  type NewPetInput,
  type Pet,
  type PetCatalogue,
  type PetPage,
  type PetStatus,
  type Principal,
} from 'animal-store';
import type { RememberedApiKeysOptions } from 'animal-store/adapter-kit';
import { verifyApiKeysContract, verifyPetCatalogueContract } from 'animal-store/contract';
import { InMemoryApiKeys, InMemoryPetCatalogue } from 'animal-store/in-memory';
import type { FetchHandlerOptions } from 'animal-store/fetch';
import { createApp, type HttpInterfaceOptions } from 'animal-store/koa';
import type { OperationOptions } from 'animal-store/mongodb';
import type { ImportOptions, RestoreOptions } from 'animal-store/transfer';
import type { HttpServerOptions } from 'animal-store/node';
import type { RemotePetCatalogueOptions } from 'animal-store/remote';
import type { SqliteDatabaseOptions } from 'animal-store/sqlite';

/** The same options, whose optional members may be `undefined`, which `exactOptionalPropertyTypes` tells from members left out. */
type Loose<T> = { [K in keyof T]: object extends Pick<T, K> ? T[K] | undefined : T[K] };
type TakesUndefined<T> = Loose<T> extends T ? true : false;

const takeUndefined: [
  TakesUndefined<HttpInterfaceOptions>,
  TakesUndefined<FetchHandlerOptions>,
  TakesUndefined<HttpServerOptions>,
  TakesUndefined<ImportOptions>,
  TakesUndefined<ListPetsInput>,
  TakesUndefined<OperationOptions>,
  TakesUndefined<RememberedApiKeysOptions>,
  TakesUndefined<RemotePetCatalogueOptions>,
  TakesUndefined<RestoreOptions>,
  TakesUndefined<SqliteDatabaseOptions>,
] = [true, true, true, true, true, true, true, true, true, true];

const catalogue: PetCatalogue = new InMemoryPetCatalogue();
const store: AnimalStore = createAnimalStore({ catalogue });
const input: NewPetInput = { name: 'Rex', categoryId: 7, status: PET_STATUSES[0] };
const rex: Pet = await store.createPet(input);
const id: bigint = rex.id;
const status: PetStatus | undefined = rex.status;
const query: ListPetsInput = { limit: 1, status, after: 0 satisfies Int64Like };
const { pets, next }: PetPage = await store.listPets(query);

// @ts-expect-error: an animal never changes
const change = (pet: Pet) => (pet.name = 'Tom');
// @ts-expect-error: the status is one of three
const lost: NewPetInput = { name: 'Rex', categoryId: 7n, status: 'lost' };

let code: AnimalStoreErrorCode | undefined;
try {
  await store.getPet(2n);
} catch (error) {
  if (!isAnimalStoreError(error)) throw error;
  code = error.code;
}

let faults: readonly Fault[] = [];
try {
  await store.createPet({ name: 'x'.repeat(NAME_MAX_LENGTH + 1), categoryId: INT64_MAX + 1n });
} catch (error) {
  if (!isAnimalStoreError(error)) throw error;
  faults = error.faults;
}
const row = { id: '7', name: 'Tom', category_id: String(INT64_MIN) };
const categoryId = parseInt64(row.category_id);
if (categoryId === undefined) throw new TypeError('the row has no category');
const tom: Pet = makePet(BigInt(row.id), { name: row.name, categoryId });

const form: Readonly<Record<string, string>> = { name: 'Kim', categoryId: '7', status: '' };
const kim: NewPetInput = parseNewPet(form);
const { status: text = '' } = form;
const chosen: PetStatus | undefined = isPetStatus(text) ? text : undefined;

const apiKeys: ApiKeys = new InMemoryApiKeys([{ name: 'anna', key: 'a key of anna’s own' }]);
const principal: Principal | undefined = await apiKeys.verify('a key of anna’s own');
const app = createApp({ store, apiKeys });
const unavailable = new AnimalStoreError('store_unavailable', 'no response', { cause: new Error('reset') });

const sentences: string[] = [];
const runner = {
  describe: (_title: string, body: () => void) => body(),
  it: (title: string) => sentences.push(title),
};
verifyPetCatalogueContract({ createCatalogue: () => new InMemoryPetCatalogue(), runner });
verifyApiKeysContract({ issueKeys: () => ({ apiKeys, keys: [] }), runner });

assert.deepEqual([id, pets.map(({ name }) => name), next], [1n, ['Rex'], undefined]);
assert.deepEqual([code, unavailable.code], ['pet_not_found', 'store_unavailable']);
assert.deepEqual(
  faults.map(({ member }) => member),
  ['name', 'categoryId'],
);
assert.deepEqual({ ...tom }, { id: 7n, name: 'Tom', categoryId: INT64_MIN });
assert.deepEqual([{ ...kim }, chosen], [{ name: 'Kim', categoryId: 7n }, undefined]);
assert.deepEqual([LIST_LIMIT.maximum, principal?.name, typeof app.callback()], [100, 'anna', 'function']);
assert.ok(sentences.length > 40);
assert.ok(takeUndefined.every(Boolean));
assert.deepEqual([typeof change, typeof lost], ['function', 'object']);
