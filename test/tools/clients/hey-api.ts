// Calls the service through the client that hey-api has made of the document.
import assert from 'node:assert/strict';
import { client } from './client/client.gen.js';
import { createPet, getPet, listPets } from './client/sdk.gen.js';
import type { Pet } from './client/types.gen.js';

const [baseUrl = '', key = ''] = process.argv.slice(2);
client.setConfig({ baseUrl, auth: key });

const created = await createPet({ body: { name: 'Rex', categoryId: 7, status: 'available' } });
assert.equal(created.response?.status, 201);
const pet: Pet | undefined = created.data;
assert.deepEqual(pet, { id: 1, name: 'Rex', categoryId: 7, status: 'available' });

const listed = await listPets({ query: { status: 'available', limit: 1 } });
const names: string[] | undefined = listed.data?.map(({ name }) => name);
assert.deepEqual(names, ['Rex']);

const got = await getPet({ path: { petId: 1 } });
assert.deepEqual(got.data, pet);

const missing = await getPet({ path: { petId: 99 } });
const code: string | undefined = missing.error?.code;
assert.equal(code, 'pet_not_found');

// @ts-expect-error: there is no such status
await listPets({ query: { status: 'gone' } });
// @ts-expect-error: a category is required
await createPet({ body: { name: 'Rex' } });
