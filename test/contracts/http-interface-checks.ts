import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { INT64_MAX, INT64_MIN } from '../../src/domain/int64.js';
import { PET_STATUSES, isPetStatus } from '../../src/domain/pet-status.js';
import type { Pet } from '../../src/domain/pet.js';
import {
  assertSame,
  assertStatus,
  createPet,
  createPets,
  jsonOf,
  petOf,
  petsOf,
  REX,
  type HttpResponse,
  type HttpClient,
  type HttpRequest,
} from './http-client.js';
import type { Checks } from './test-runner.js';

/** A request of each operation. */
const OPERATIONS: Readonly<Record<string, (client: HttpClient, request: HttpRequest) => Promise<HttpResponse>>> = {
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

/** Asserts that an animal of a response has every member that it must have. */
function assertIsPet(response: HttpResponse, pet: Pet): void {
  const { id, name, categoryId, status } = pet as Partial<Record<keyof Pet, unknown>>;
  const isInt64 = (value: unknown): boolean => typeof value === 'bigint' && value >= INT64_MIN && value <= INT64_MAX;
  for (const [member, value, isValid] of [
    ['id', id, isInt64(id)],
    ['name', name, typeof name === 'string'],
    ['categoryId', categoryId, isInt64(categoryId)],
    ['status', status, status === undefined || isPetStatus(status)],
  ] as const) {
    assert.ok(isValid, `${response.request}: the ${member} of an animal is ${inspect(value)}`);
  }
}

/** What `interface.md` says of the service. */
export const httpInterfaceChecks: Checks<HttpClient> = {
  'listPets answers 200 with an array of animals': async (client) => {
    await createPet(client);
    const response = await client.get('/pets');
    const pets = petsOf(response);
    assertHasPets(response, pets);
    for (const pet of pets) assertIsPet(response, pet);
  },

  'listPets returns at most 20 animals by default': async (client) => {
    await createPets(client, 21);
    assertAtMost(await client.get('/pets'), 20);
  },

  'listPets returns at most limit animals, 1 to 100': async (client) => {
    await createPets(client, 4);
    for (const limit of [1, 3, 100]) {
      assertAtMost(await client.get(`/pets?limit=${limit}`), limit);
    }
  },

  'listPets with a status returns only animals that have it': async (client) => {
    for (const status of [undefined, ...PET_STATUSES]) {
      await createPet(client, JSON.stringify({ name: 'Rex', categoryId: 7, status }));
    }
    for (const status of PET_STATUSES) {
      const response = await client.get(`/pets?status=${status}`);
      const pets = petsOf(response);
      assertHasPets(response, pets);
      for (const pet of pets) assertSame(response, `the status of the animal ${pet.id}`, pet.status, status);
    }
  },

  'createPet answers 201 with the animal and its id': async (client) => {
    const response = await client.post('{"name":"Rex","categoryId":7,"status":"sold"}');
    const { id, ...newPet } = petOf(response, 201);
    assertIsPet(response, { id, ...newPet });
    assertSame(response, 'the animal', newPet, { name: 'Rex', categoryId: 7n, status: 'sold' });
  },

  'createPet assigns each animal an id of its own': async (client) => {
    const ids = (await createPets(client, 5)).map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length, `POST /pets: the ids of five animals are ${ids.join()}`);
  },

  'createPet needs no status': async (client) => {
    const response = await client.post(REX);
    assertIsPet(response, petOf(response, 201));
  },

  'createPet takes each status': async (client) => {
    for (const status of PET_STATUSES) {
      const response = await client.post(JSON.stringify({ name: 'Rex', categoryId: 7, status }));
      assertSame(response, 'the status of the animal', petOf(response, 201, status).status, status);
    }
  },

  'createPet answers with every digit of a categoryId': async (client) => {
    for (const categoryId of INTEGERS) {
      const response = await client.post(`{"name":"Rex","categoryId":${categoryId}}`);
      assertSame(response, 'the categoryId', petOf(response, 201, `${categoryId}`).categoryId, categoryId);
    }
  },

  'createPet answers with the name as it was sent': async (client) => {
    for (const name of ['Rex', 'rex', '\u00e9 e\u0301 😀', '"\\/', '007']) {
      const response = await client.post(JSON.stringify({ name, categoryId: 7 }));
      assertSame(response, 'the name', petOf(response, 201, name).name, name);
    }
  },

  'createPet answers 400 if the body is missing': async (client) => {
    assertStatus(await client.post(''), 400);
    assertStatus(await client.send('POST', '/pets'), 400);
  },

  ...Object.fromEntries(
    Object.entries(INVALID).map(([what, bodies]) => [
      `createPet answers 400 to ${what}`,
      async (client: HttpClient) => {
        for (const body of bodies) assertStatus(await client.post(body), 400, body);
      },
    ]),
  ),

  'getPet answers 200 with the animal as it was created': async (client) => {
    for (const categoryId of INTEGERS) {
      const created = await createPet(
        client,
        `{"name":"\u00e9 e\u0301 😀","categoryId":${categoryId},"status":"pending"}`,
      );
      const response = await client.get(`/pets/${created.id}`);
      assertSame(response, 'the animal', petOf(response, 200), created);
    }
  },

  'getPet answers 404 if no animal has the id': async (client) => {
    assertStatus(await client.get(`/pets/${INT64_MAX}`), 404);
  },

  ...Object.fromEntries(
    Object.entries(OPERATIONS).flatMap(([operation, send]) => [
      [
        `${operation} answers 401 without an API key`,
        async (client: HttpClient) => assertStatus(await send(client, { authorization: null }), 401),
      ],
      [
        `${operation} answers 401 to an invalid API key`,
        async (client: HttpClient) => {
          for (const key of ['no-such-key-0123456789', `${client.apiKey}x`]) {
            assertStatus(await send(client, { authorization: `Bearer ${key}` }), 401);
          }
        },
      ],
    ]),
  ),

  'every error has a code, a message and its status': async (client) => {
    for (const response of await errorsOf(client)) {
      const { code, message, status } = (jsonOf(response) ?? {}) as Readonly<Record<string, unknown>>;
      assertSame(response, 'the type of the code', typeof code, 'string');
      assertSame(response, 'the type of the message', typeof message, 'string');
      assertSame(response, 'the status in the body', status, response.status);
    }
  },

  'every body is application/json': async (client) => {
    for (const response of [await client.get('/pets'), await client.post(REX), ...(await errorsOf(client))]) {
      const type = response.headers.get('Content-Type') ?? '';
      assert.match(type, /^application\/json *(;|$)/i, `${response.request}: Content-Type is ${inspect(type)}`);
    }
  },
};

/** A response for each error of the interface: an invalid body, no key, and no such animal. */
async function errorsOf(client: HttpClient): Promise<readonly HttpResponse[]> {
  return [
    await client.post('{}'),
    await client.get('/pets', { authorization: null }),
    await client.get(`/pets/${INT64_MAX}`),
  ];
}

function assertHasPets(response: HttpResponse, pets: readonly Pet[]): void {
  assert.ok(pets.length > 0, `${response.request}: the list is empty`);
}

function assertAtMost(response: HttpResponse, limit: number): void {
  const { length } = petsOf(response);
  assert.ok(length <= limit, `${response.request}: the list has ${length} animals, more than ${limit}`);
}
