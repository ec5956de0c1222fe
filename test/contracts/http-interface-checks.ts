import assert from 'node:assert/strict';
import { INT64_MAX, INT64_MIN } from '../../src/domain/int64.js';
import { PET_STATUSES, isPetStatus } from '../../src/domain/pet-status.js';
import {
  assertErrorBody,
  createPet,
  createPets,
  petOf,
  petsOf,
  REX,
  type HttpAnswer,
  type HttpClient,
  type HttpRequest,
} from './http-client.js';
import type { Checks } from './test-runner.js';

/** A request of each operation. */
const OPERATIONS: Readonly<Record<string, (client: HttpClient, request: HttpRequest) => Promise<HttpAnswer>>> = {
  listPets: async (client, request) => client.get('/pets', request),
  createPet: async (client, request) => client.post(REX, request),
  getPet: async (client, request) => client.get(`/pets/${(await createPet(client)).id}`, request),
};

/** Bodies of creations that lack a member, or have an invalid one. */
const INVALID: Readonly<Record<string, readonly string[]>> = {
  'no name': ['{"categoryId":7}'],
  'no categoryId': ['{"name":"Rex"}'],
  'a name that is not a string': ['{"name":7,"categoryId":7}', '{"name":null,"categoryId":7}'],
  'a categoryId that is not an int64': ['"7"', '7.5', 'null', '9223372036854775808'].map(
    (categoryId) => `{"name":"Rex","categoryId":${categoryId}}`,
  ),
  'an unknown status': ['"lost"', '"SOLD"', '""', '7'].map(
    (status) => `{"name":"Rex","categoryId":7,"status":${status}}`,
  ),
};

const INTEGERS = [0n, -1n, 9007199254740993n, -9007199254740993n, INT64_MIN, INT64_MAX];

/** Asserts that a value is an animal, with every member that it must have. */
function assertIsPet(pet: object): void {
  const { id, name, categoryId, status } = pet as Readonly<Record<string, unknown>>;
  for (const integer of [id, categoryId]) {
    assert.ok(
      typeof integer === 'bigint' && integer >= INT64_MIN && integer <= INT64_MAX,
      `${String(integer)} is no int64`,
    );
  }
  assert.equal(typeof name, 'string', 'the type of the name');
  assert.ok(status === undefined || isPetStatus(status), `${String(status)} is no status`);
}

/** What `interface.md` says of the service. */
export const httpInterfaceChecks: Checks<HttpClient> = {
  'listPets answers 200 with an array of animals': async (client) => {
    await createPet(client);
    const pets = petsOf(await client.get('/pets'));
    assert.ok(pets.length > 0, 'the list is empty');
    for (const pet of pets) assertIsPet(pet);
  },

  'listPets returns at most 20 animals by default': async (client) => {
    await createPets(client, 21);
    assert.ok(petsOf(await client.get('/pets')).length <= 20);
  },

  'listPets returns at most limit animals, 1 to 100': async (client) => {
    await createPets(client, 4);
    for (const limit of [1, 3, 100]) {
      assert.ok(petsOf(await client.get(`/pets?limit=${limit}`)).length <= limit, `limit ${limit}`);
    }
  },

  'listPets with a status returns only animals that have it': async (client) => {
    for (const status of [undefined, ...PET_STATUSES]) {
      await createPet(client, JSON.stringify({ name: 'Rex', categoryId: 7, status }));
    }
    for (const status of PET_STATUSES) {
      const pets = petsOf(await client.get(`/pets?status=${status}`));
      assert.ok(pets.length > 0, `no animal is ${status}`);
      for (const pet of pets) assert.equal(pet.status, status);
    }
  },

  'createPet answers 201 with the animal and its id': async (client) => {
    const pet = petOf(await client.post('{"name":"Rex","categoryId":7,"status":"sold"}'), 201);
    assertIsPet(pet);
    assert.deepEqual({ ...pet, id: 0n }, { id: 0n, name: 'Rex', categoryId: 7n, status: 'sold' });
  },

  'createPet assigns each animal an id of its own': async (client) => {
    const ids = (await createPets(client, 5)).map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length, `ids ${ids.join()}`);
  },

  'createPet needs no status': async (client) => {
    assertIsPet(petOf(await client.post(REX), 201));
  },

  'createPet takes each status': async (client) => {
    for (const status of PET_STATUSES) {
      assert.equal((await createPet(client, JSON.stringify({ name: 'Rex', categoryId: 7, status }))).status, status);
    }
  },

  'createPet answers with every digit of a categoryId': async (client) => {
    for (const categoryId of INTEGERS) {
      assert.equal((await createPet(client, `{"name":"Rex","categoryId":${categoryId}}`)).categoryId, categoryId);
    }
  },

  'createPet answers with the name as it was sent': async (client) => {
    for (const name of ['Rex', 'rex', '\u00e9 e\u0301 😀', '"\\/', '007']) {
      assert.equal((await createPet(client, JSON.stringify({ name, categoryId: 7 }))).name, name);
    }
  },

  'createPet answers 400 if the body is missing': async (client) => {
    assertErrorBody(await client.post(''), 400);
    assertErrorBody(await client.send('POST', '/pets'), 400);
  },

  ...Object.fromEntries(
    Object.entries(INVALID).map(([what, bodies]) => [
      `createPet answers 400 to ${what}`,
      async (client: HttpClient) => {
        for (const body of bodies) assertErrorBody(await client.post(body), 400, body);
      },
    ]),
  ),

  'getPet answers 200 with the animal as it was created': async (client) => {
    for (const categoryId of INTEGERS) {
      const created = await createPet(
        client,
        `{"name":"\u00e9 e\u0301 😀","categoryId":${categoryId},"status":"pending"}`,
      );
      assert.deepEqual(petOf(await client.get(`/pets/${created.id}`), 200), created);
    }
  },

  'getPet answers 404 if no animal has the id': async (client) => {
    assertErrorBody(await client.get(`/pets/${INT64_MAX}`), 404);
  },

  ...Object.fromEntries(
    Object.entries(OPERATIONS).flatMap(([operation, send]) => [
      [
        `${operation} answers 401 without an API key`,
        async (client: HttpClient) => assertErrorBody(await send(client, { authorization: null }), 401),
      ],
      [
        `${operation} answers 401 to an invalid API key`,
        async (client: HttpClient) => {
          for (const key of ['no-such-key-0123456789', `${client.apiKey}x`]) {
            assertErrorBody(await send(client, { authorization: `Bearer ${key}` }), 401);
          }
        },
      ],
    ]),
  ),

  'every body is application/json': async (client) => {
    const answers = {
      'a list': await client.get('/pets'),
      'a new animal': await client.post(REX),
      'an invalid body': await client.post('{}'),
      'a missing key': await client.get('/pets', { authorization: null }),
      'a missing animal': await client.get(`/pets/${INT64_MAX}`),
    };
    for (const [what, { headers }] of Object.entries(answers)) {
      assert.match(headers.get('Content-Type') ?? '', /^application\/json *(;|$)/i, what);
    }
  },
};
