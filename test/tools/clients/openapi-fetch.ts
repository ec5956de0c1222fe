// Calls the service through openapi-fetch, typed by what openapi-typescript has made of the document.
import assert from 'node:assert/strict';
import createClient from 'openapi-fetch';
import type { components, paths } from './schema.js';

const [baseUrl = '', key = ''] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } });

const created = await client.POST('/pets', {
  params: { header: { 'Idempotency-Key': 'one' } },
  body: { name: 'Rex', categoryId: 7, status: 'available' },
});
assert.equal(created.response.status, 201);
const pet: components['schemas']['Pet'] | undefined = created.data;
assert.deepEqual(pet, { id: 1, name: 'Rex', categoryId: 7, status: 'available' });

const listed = await client.GET('/pets', { params: { query: { status: 'available', limit: 1 } } });
const names: string[] | undefined = listed.data?.map(({ name }) => name);
assert.deepEqual(names, ['Rex']);

const got = await client.GET('/pets/{petId}', { params: { path: { petId: 1 } } });
assert.deepEqual(got.data, pet);

const missing = await client.GET('/pets/{petId}', { params: { path: { petId: 99 } } });
const code: string | undefined = missing.error?.code;
assert.equal(code, 'pet_not_found');

// @ts-expect-error: there is no such status
await client.GET('/pets', { params: { query: { status: 'gone' } } });
// @ts-expect-error: a category is required
await client.POST('/pets', { body: { name: 'Rex' } });
