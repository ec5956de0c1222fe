import assert from 'node:assert/strict';
import { INT64_MAX, INT64_MIN } from '../../src/domain/int64.js';
import { PET_STATUSES } from '../../src/domain/pet-status.js';
import type { Pet } from '../../src/domain/pet.js';
import {
  assertError,
  assertField,
  assertSame,
  assertStatus,
  createPet,
  petOf,
  petsOf,
  REX,
  type HttpResponse,
  type HttpClient,
} from './http-client.js';
import type { Checks } from './test-runner.js';

/** Values that each parameter refuses, as they are in a query. */
const REFUSED: Readonly<Record<string, readonly string[]>> = {
  limit: ['', '0', '101', '007', '+5', '%2B5', '-1', '5.0', '5e0', '%D9%A5', '5%20', '5%00', '5,6', '%zz', '%FF'],
  status: ['', 'lost', 'Available', 'sold%20', '+sold', 'sold,pending', 'null', '%zz', '__proto__'],
  after: ['', `${INT64_MAX + 1n}`, `${INT64_MIN - 1n}`, '+1', '007', '-0', '1.0', '%D9%A1', '1%20', '%zz', '%C0'],
};

/** Queries with a parameter that is given twice, once with its name encoded. */
const TWICE = ['limit=5&limit=5', 'limit=5&%6cimit=6', 'status=sold&status=', 'after=1&%61fter=1', 'after&after=1'];

/** Parameters that are none of the interface. */
const IGNORED = [
  'x=1&x=2',
  '__proto__=1',
  'limit[]=0',
  'LIMIT=0&Status=lost',
  '%20limit=0',
  'x=%00&%FF=%FF',
  '=0&&=',
  '?limit=0',
];

/** Statuses in a herd of 30: some of each kind, then animals without one. */
const STATUSES = [
  'sold',
  undefined,
  'sold',
  'pending',
  'sold',
  'available',
  'sold',
  ...Array<undefined>(23).fill(undefined),
];

/** Creates 30 animals. Resolves to them, and to the `after` with which a list begins with the first one. */
async function createHerd(client: HttpClient): Promise<{ readonly pets: readonly Pet[]; readonly after: bigint }> {
  const pets: Pet[] = [];
  for (const status of STATUSES)
    pets.push(await createPet(client, JSON.stringify({ name: 'Tom', categoryId: 1, status })));
  return { pets, after: (pets[0] as Pet).id - 1n };
}

/** The target of a response's link of this relation, if it has one (RFC 8288). */
function linkOf({ headers }: HttpResponse, relation: string): string | undefined {
  const links = headers.get('Link')?.matchAll(/<([^>]*)>([^<]*)/g) ?? [];
  for (const [, target, parameters = ''] of links) {
    const [, quoted, token] = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,]+))/i.exec(parameters) ?? [];
    if ((quoted ?? token ?? '').toLowerCase().split(' ').includes(relation)) return target;
  }
  return undefined;
}

function nextOf(response: HttpResponse): string | undefined {
  return linkOf(response, 'next');
}

/** Asserts that a response lists these animals. */
function assertLists(response: HttpResponse, pets: readonly Pet[]): void {
  assertSame(response, 'the list', petsOf(response), pets);
}

export const httpListChecks: Checks<HttpClient> = {
  'listPets answers a bare array of animals by ascending id, each as getPet does': async (client) => {
    const { pets, after } = await createHerd(client);
    assertLists(await client.get(`/pets?limit=30&after=${after}`), pets);
    for (const pet of pets.slice(0, 2)) {
      const response = await client.get(`/pets/${pet.id}`);
      assertSame(response, 'the animal', petOf(response, 200), pet);
    }
  },

  'listPets returns as many animals as limit says, by default 20': async (client) => {
    const { pets, after } = await createHerd(client);
    const limits = { '': 20, '&limit=1': 1, '&limit=9': 9, '&limit=%31%30': 10, '&%6Cimi%74=3': 3, '&limit=30': 30 };
    for (const [query, count] of Object.entries(limits)) {
      assertLists(await client.get(`/pets?after=${after}${query}`), pets.slice(0, count));
    }
  },

  'listPets with a status returns every animal that has it, and none without a status': async (client) => {
    const { pets, after } = await createHerd(client);
    for (const status of PET_STATUSES) {
      const expected = pets.filter((pet) => pet.status === status);
      assertLists(await client.get(`/pets?limit=100&status=${status}&after=${after}`), expected);
    }
  },

  'listPets returns only animals whose id is greater than after, any int64': async (client) => {
    const { pets, after } = await createHerd(client);
    assertLists(await client.get(`/pets?limit=4&after=${after + 1n}`), pets.slice(1, 5));
    for (const last of [pets[29]?.id, INT64_MAX]) assertLists(await client.get(`/pets?after=${last}`), []);
    const first = petsOf(await client.get('/pets?limit=4'));
    for (const least of [INT64_MIN, -9007199254740993n, -1n, 0n]) {
      assertLists(await client.get(`/pets?limit=4&after=${least}`), first);
    }
  },

  ...Object.fromEntries(
    Object.entries(REFUSED).map(([name, values]) => [
      `listPets answers 400 to an invalid ${name}, and names it`,
      async (client: HttpClient) => {
        for (const value of values) {
          const message = assertError(await client.get(`/pets?${name}=${value}`), 400, 'invalid_parameter', value);
          assert.ok(
            message.includes(name),
            `GET /pets?${name}=${value}: the message does not name ${name}: ${message}`,
          );
        }
      },
    ]),
  ),

  'listPets answers 400 to a parameter that is given twice': async (client) => {
    for (const query of TWICE) assertError(await client.get(`/pets?${query}`), 400, 'invalid_parameter', query);
  },

  'listPets ignores other parameters': async (client) => {
    const { pets, after } = await createHerd(client);
    for (const query of IGNORED) {
      for (const all of [`${query}&limit=3&after=${after}`, `limit=3&after=${after}&${query}`]) {
        assertLists(await client.get(`/pets?${all}`), pets.slice(0, 3));
      }
    }
  },

  'the link to the next page leads to one with the limit and the status of the request': async (client) => {
    const { pets, after } = await createHerd(client);
    const sold = pets.filter(({ status }) => status === 'sold');
    for (const [query, rest] of [
      ['limit=2&status=sold', sold.slice(2, 4)],
      ['status=s%6Fld&limit=%33', sold.slice(3, 4)],
      ['limit=20', pets.slice(20)],
      ['limit=3', pets.slice(3, 6)],
      ['x=1', pets.slice(20)],
    ] as const) {
      const page = await client.get(`/pets?${query}&after=${after}`);
      assertStatus(page, 200);
      const next = nextOf(page);
      assert.ok(next !== undefined, `${page.request}: Link is ${page.headers.get('Link')}, without a next page`);
      assertLists(await client.follow(page, next), rest);
    }
  },

  'the links lead through every animal, once each, to the last page, which has none': async (client) => {
    const { pets, after } = await createHerd(client);
    for (const [query, expected] of [
      ['limit=7', pets],
      ['limit=10', pets],
      ['limit=2&status=sold', pets.filter(({ status }) => status === 'sold')],
    ] as const) {
      let page = await client.get(`/pets?${query}&after=${after}`);
      const listed = [...petsOf(page)];
      for (let next = nextOf(page); next !== undefined; next = nextOf(page)) {
        assert.ok(listed.length < expected.length, `${page.request}: Link is ${next} on the last page`);
        page = await client.follow(page, next);
        listed.push(...petsOf(page));
      }
      assertSame(page, 'the animals of all pages', listed, expected);
    }
  },
};

const DEPRECATED = { Deprecation: '@1795132800', Sunset: 'Thu, 05 Dec 2030 00:00:00 GMT' };

/** Texts that are almost the id of an animal. */
const NOT_CANONICAL: readonly ((id: bigint) => string)[] = [
  (id) => `0${id}`,
  (id) => `+${id}`,
  (id) => `-${id}`,
  (id) => `${id}.0`,
  (id) => [...`${id}`].map((digit) => `%3${digit}`).join(''),
  (id) => `${id}%0A`,
  (id) => `${id + 18446744073709551616n}`,
];

export const httpGetChecks: Checks<HttpClient> = {
  'getPet answers 404 to anything but the canonical id of an animal': async (client) => {
    const { id } = await createPet(client);
    const segments = [
      ...NOT_CANONICAL.map((form) => form(id)),
      `${INT64_MAX}`,
      `${INT64_MIN}`,
      '0',
      '-1',
      'x',
      '%zz',
      '%2F',
    ];
    for (const segment of segments) assertError(await client.get(`/pets/${segment}`), 404, 'pet_not_found', segment);
  },

  'getPet and createPet ignore a query': async (client) => {
    const { id } = await createPet(client);
    for (const query of ['?limit=0&status=%zz', '?']) {
      petOf(await client.get(`/pets/${id}${query}`), 200, query);
      const headers = { 'Content-Type': 'application/json' };
      petOf(await client.send('POST', `/pets${query}`, { headers, body: REX }), 201, query);
    }
  },

  'getPet says on every response but a 401 that it is deprecated, and no other operation does': async (client) => {
    const { id } = await createPet(client);
    for (const segment of [`${id}`, `${INT64_MAX}`, 'x']) {
      const response = await client.get(`/pets/${segment}`);
      for (const [name, value] of Object.entries(DEPRECATED)) assertField(response, name, value);
      const link = linkOf(response, 'successor-version') ?? '';
      assert.match(
        link,
        /\/pets$/,
        `${response.request}: Link is ${response.headers.get('Link')}, without the list as successor`,
      );
    }
    for (const response of [
      await client.get(`/pets/${id}`, { authorization: null }),
      await client.get('/pets'),
      await client.post('{}'),
      await client.get('/nowhere'),
    ]) {
      for (const name of Object.keys(DEPRECATED)) assertField(response, name, null);
    }
  },
};
