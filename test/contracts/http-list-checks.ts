import assert from 'node:assert/strict';
import { INT64_MAX, INT64_MIN } from '../../src/domain/int64.js';
import { PET_STATUSES } from '../../src/domain/pet-status.js';
import type { Pet } from '../../src/domain/pet.js';
import { assertError, createPet, petOf, petsOf, REX, type HttpClient } from './http-client.js';
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

/** The target of a link to the next page, of an answer that has one. */
function nextOf(headers: Headers): string | undefined {
  return /^<([^>]+)>; rel="next"$/.exec(headers.get('Link') ?? '')?.[1];
}

export const httpListChecks: Checks<HttpClient> = {
  'listPets answers a bare array of animals by ascending id, each as getPet does': async (client) => {
    const { pets, after } = await createHerd(client);
    assert.deepEqual(petsOf(await client.get(`/pets?limit=30&after=${after}`)), pets);
    const { text } = await client.get(`/pets?limit=2&after=${after}`);
    const each = await Promise.all(pets.slice(0, 2).map(async ({ id }) => client.get(`/pets/${id}`)));
    assert.equal(text, `[${each.map((answer) => answer.text).join(',')}]`);
  },

  'listPets returns as many animals as limit says, by default 20': async (client) => {
    const { pets, after } = await createHerd(client);
    const limits = { '': 20, '&limit=1': 1, '&limit=9': 9, '&limit=%31%30': 10, '&%6Cimi%74=3': 3, '&limit=30': 30 };
    for (const [query, count] of Object.entries(limits)) {
      assert.deepEqual(petsOf(await client.get(`/pets?after=${after}${query}`), query), pets.slice(0, count), query);
    }
  },

  'listPets with a status returns every animal that has it, and none without a status': async (client) => {
    const { pets, after } = await createHerd(client);
    for (const status of PET_STATUSES) {
      const expected = pets.filter((pet) => pet.status === status);
      assert.deepEqual(petsOf(await client.get(`/pets?limit=100&status=${status}&after=${after}`)), expected, status);
    }
  },

  'listPets returns only animals whose id is greater than after, any int64': async (client) => {
    const { pets, after } = await createHerd(client);
    const ids = async (query: string) => petsOf(await client.get(`/pets?limit=4&${query}`), query).map(({ id }) => id);
    assert.deepEqual(
      await ids(`after=${after + 1n}`),
      pets.slice(1, 5).map(({ id }) => id),
    );
    for (const last of [pets[29]?.id, INT64_MAX]) assert.deepEqual(await ids(`after=${last}`), [], `after ${last}`);
    for (const first of [INT64_MIN, -9007199254740993n, -1n, 0n])
      assert.deepEqual(await ids(`after=${first}`), await ids(''));
  },

  ...Object.fromEntries(
    Object.entries(REFUSED).map(([name, values]) => [
      `listPets answers 400 to an invalid ${name}, and names it`,
      async (client: HttpClient) => {
        for (const value of values) {
          const message = assertError(await client.get(`/pets?${name}=${value}`), 400, 'invalid_parameter', value);
          assert.ok(message.includes(name), message);
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
        assert.deepEqual(petsOf(await client.get(`/pets?${all}`), all), pets.slice(0, 3), all);
      }
    }
  },

  'the link to the next page has the limit and the status of the request': async (client) => {
    const { pets, after } = await createHerd(client);
    for (const [query, kept, last] of [
      ['limit=2&status=sold', 'limit=2&status=sold&', 2],
      ['status=s%6Fld&limit=%32', 'limit=2&status=sold&', 2],
      ['x=1', '', 19],
      ['limit=20', 'limit=20&', 19],
      ['limit=3', 'limit=3&', 2],
    ] as const) {
      const { headers } = await client.get(`/pets?${query}&after=${after}`);
      assert.equal(headers.get('Link'), `<${client.basePath}/pets?${kept}after=${pets[last]?.id}>; rel="next"`, query);
    }
  },

  'the links lead through every animal, once each, to the last page, which has none': async (client) => {
    const { pets, after } = await createHerd(client);
    for (const [query, expected] of [
      ['limit=7', pets],
      ['limit=10', pets],
      ['limit=2&status=sold', pets.filter(({ status }) => status === 'sold')],
    ] as const) {
      const listed: Pet[] = [];
      let path: string | undefined = `/pets?${query}&after=${after}`;
      while (path !== undefined) {
        const page = await client.get(path);
        listed.push(...petsOf(page));
        assert.ok(listed.length <= pets.length, 'the pages do not end');
        path = nextOf(page.headers)?.slice(client.basePath.length);
        assert.ok(path !== undefined || listed.length === expected.length, `${query}: the pages end early`);
        assert.ok(path === undefined || listed.length < expected.length, `${query}: the last page has a link`);
      }
      assert.deepEqual(listed, expected, query);
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

  'getPet says on every answer but a 401 that it is deprecated, and no other operation does': async (client) => {
    const { id } = await createPet(client);
    const expected = { ...DEPRECATED, Link: `<${client.basePath}/pets>; rel="successor-version"` };
    for (const segment of [`${id}`, `${INT64_MAX}`, 'x']) {
      const { headers } = await client.get(`/pets/${segment}`);
      for (const [name, value] of Object.entries(expected))
        assert.equal(headers.get(name), value, `${name} of ${segment}`);
    }
    const others = {
      'a 401': await client.get(`/pets/${id}`, { authorization: null }),
      listPets: await client.get('/pets'),
      createPet: await client.post('{}'),
      'a 404': await client.get('/nowhere'),
    };
    for (const [what, { headers }] of Object.entries(others)) {
      for (const name of Object.keys(DEPRECATED)) assert.equal(headers.get(name), null, `${name} of ${what}`);
    }
  },
};
