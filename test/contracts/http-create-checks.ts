import assert from 'node:assert/strict';
import { PET_MEMBER_NAMES } from '../../src/domain/pet.js';
import { assertError, assertField, assertSame, createPet, petOf, petsOf, REX, type HttpClient } from './http-client.js';
import type { Checks } from './test-runner.js';

/** Names that must be kept code unit for code unit. One has 1,024 code points, most of which take two code units. */
const NAMES = [
  ' \t\n "\\" \u0001\u001f\u007f \u00e9 e\u0301 \u212b \u01c4 \r\u3000',
  'x',
  '\ufeffRex\uffff',
  '__proto__',
  '😀'.repeat(1020) + 'e\u0301 x',
];

/** Bodies that are no JSON object. */
const NO_OBJECT = ['[]', 'null', '7', '"Rex"', REX.slice(0, -1), `${REX}x`, "{'name':'Rex'}", '{"name":"R\nx"}'];

/** Bodies that are no UTF-8. */
const NO_UTF8 = [
  Uint8Array.from('{"name":"R\u00ffx","categoryId":7}', (character) => character.charCodeAt(0)),
  Uint8Array.from([...REX].flatMap((character) => [character.charCodeAt(0), 0])),
];

const rex = (name: string, categoryId = '7', status = '"sold"'): string =>
  `{"name":${name},"categoryId":${categoryId},"status":${status}}`;

/** Bodies with faults, and the members that the message must name. */
const FAULTS: readonly (readonly [body: string, ...named: string[]])[] = [
  ['{}', 'name', 'categoryId'],
  ['{"categoryId":7}', 'name'],
  ['{"name":"Rex"}', 'categoryId'],
  [rex('null'), 'name'],
  [rex('""'), 'name'],
  [rex('"\\u2003\\t"'), 'name'],
  [rex('"a\\u0000b"'), 'name'],
  [rex('"\\ud83d"'), 'name'],
  [rex(JSON.stringify('😀'.repeat(1025))), 'name'],
  [rex('"Rex"', '7.5'), 'categoryId'],
  [rex('"Rex"', '"7"'), 'categoryId'],
  [rex('"Rex"', '9223372036854775808'), 'categoryId'],
  [rex('"Rex"', '-9223372036854775809'), 'categoryId'],
  [rex('"Rex"', '1e400'), 'categoryId'],
  [rex('"Rex"', '7', 'null'), 'status'],
  [rex('"Rex"', '7', '"Sold"'), 'status'],
  [rex('""', '"7"', '"lost"'), 'name', 'categoryId', 'status'],
  ['{"Name":"Rex","CategoryId":7}', 'name', 'categoryId'],
  [`{"__proto__":${REX}}`, 'name', 'categoryId'],
  ['{"name":"Rex","categoryId":7,"categoryId":7.5}', 'categoryId'],
];

/** JSON numbers, and the integer that each is. */
const NUMBERS: Readonly<Record<string, bigint>> = {
  '7': 7n,
  '7.0': 7n,
  '7e0': 7n,
  '70E-1': 7n,
  '-0': 0n,
  '9223372036854775807': 9223372036854775807n,
  '9223372036854775807.0': 9223372036854775807n,
  '-9223372036854775808': -9223372036854775808n,
  '9007199254740993e0': 9007199254740993n,
};

/** Members that an animal does not have, or that are repeated later. */
const IGNORED = ['"id":99', '"__proto__":{"status":"sold"}', '"constructor":1', '"Status":"sold"', '"":0', '"name":7'];

const TYPES = {
  accepted: [
    'Application/Json',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'application/json; charset=utf8',
    'application/json; profile="a;b"; charset=utf-8',
  ],
  refused: [
    'application/json; charset=iso-8859-1',
    'application/json; charset=utf-8x',
    'application/jsonx',
    'application/vnd.api+json',
    'text/plain; application/json',
    '*/*',
  ],
};

export const httpCreateChecks: Checks<HttpClient> = {
  'createPet answers with the animal, without a missing status, and the Location that it is at': async (client) => {
    for (const status of ['sold', undefined] as const) {
      const response = await client.post(JSON.stringify({ name: 'Rex', categoryId: 7, status }));
      const pet = petOf(response, 201);
      const expected = { id: pet.id, name: 'Rex', categoryId: 7n, ...(status && { status }) };
      assertSame(response, 'the animal', pet, expected);
      const location = response.headers.get('Location') ?? '';
      assertSame(response, `the end of the Location ${location}`, location.split('/').at(-1), `${pet.id}`);
      const found = await client.follow(response, location);
      assertSame(found, 'the animal', petOf(found, 200), expected);
    }
  },

  'createPet stores each of many concurrent animals, under positive ids greater than those before': async (client) => {
    const { id: before } = await createPet(client);
    assert.ok(before > 0n, `POST /pets: the id ${before} is not positive`);
    const names = Array.from({ length: 30 }, (_, i) => `Rex ${i}`);
    const pets = await Promise.all(names.map(async (name) => createPet(client, rex(`"${name}"`))));
    assert.equal(new Set(pets.map(({ id }) => id)).size, names.length, 'POST /pets: two animals have the same id');
    for (const [i, { id }] of pets.entries()) {
      assert.ok(id > before, `POST /pets: the id ${id} follows ${before}`);
      const found = await client.get(`/pets/${id}`);
      assertSame(found, 'the name', petOf(found, 200).name, names[i]);
    }
  },

  'createPet keeps a name code unit for code unit': async (client) => {
    for (const name of NAMES) {
      const response = await client.post(JSON.stringify({ name, categoryId: 7 }));
      const pet = petOf(response, 201, name);
      assertSame(response, 'the name', pet.name, name);
      const found = await client.get(`/pets/${pet.id}`);
      assertSame(found, 'the animal', petOf(found, 200), pet);
      const listed = await client.get(`/pets?limit=1&after=${pet.id - 1n}`);
      assertSame(listed, 'the list', petsOf(listed), [pet]);
    }
  },

  'createPet takes every number that is a whole int64, and keeps each digit': async (client) => {
    for (const [number, categoryId] of Object.entries(NUMBERS)) {
      const response = await client.post(rex('"Rex"', number));
      assertSame(response, `the categoryId for ${number}`, petOf(response, 201, number).categoryId, categoryId);
    }
  },

  'createPet ignores unknown members, and all but the last of a repeated one': async (client) => {
    for (const ignored of IGNORED) {
      const response = await client.post(`{${ignored},"\\u006eame":"Rex","categoryId":7}`);
      const pet = petOf(response, 201, ignored);
      assertSame(response, `the animal for ${ignored}`, pet, { id: pet.id, name: 'Rex', categoryId: 7n });
    }
  },

  'createPet answers 400 to a body that is missing, is not UTF-8, or is no JSON object': async (client) => {
    assertError(await client.send('POST', '/pets'), 400, 'invalid_body', 'a missing body without a media type');
    const headers = { 'Content-Type': 'application/json' };
    for (const body of ['', ...NO_OBJECT, ...NO_UTF8]) {
      assertError(await client.send('POST', '/pets', { headers, body }), 400, 'invalid_body', String(body));
    }
  },

  'createPet names every member that breaks a rule, and no other': async (client) => {
    for (const [body, ...named] of FAULTS) {
      const message = assertError(await client.post(body), 400, 'invalid_body', body);
      const members = PET_MEMBER_NAMES.filter((member) => new RegExp(`\\b${member}\\b`).test(message));
      assert.deepEqual(
        members,
        named,
        `POST /pets: the message for ${body} names ${members.join()}, not ${named.join()}: ${message}`,
      );
    }
  },

  'a creation that is refused adds nothing': async (client) => {
    const { id } = await createPet(client);
    assertError(await client.post(rex('"Rex"', '7', '"lost"')), 400, 'invalid_body');
    assertError(await client.post(REX, { authorization: null }), 401, 'unauthorized');
    const added = await client.get(`/pets?after=${id}`);
    assertSame(added, 'the list', petsOf(added), []);
  },

  'createPet takes application/json in UTF-8, and answers 415 to every other media type': async (client) => {
    const typed = async (type: string) => client.post(REX, { headers: { 'Content-Type': type } });
    for (const type of TYPES.accepted) petOf(await typed(type), 201, type);
    for (const type of TYPES.refused) assertError(await typed(type), 415, 'unsupported_media_type', type);
    assertError(await client.send('POST', '/pets', { body: REX }), 415, 'unsupported_media_type', 'no media type');
  },

  'createPet answers 415 to a content coding, and names the one that it accepts': async (client) => {
    const coded = async (coding: string) => client.post(REX, { headers: { 'Content-Encoding': coding } });
    for (const coding of ['identity', 'IDENTITY']) petOf(await coded(coding), 201, coding);
    for (const coding of ['gzip', 'identity, gzip']) {
      const response = await coded(coding);
      assertError(response, 415, 'unsupported_media_type', coding);
      assertField(response, 'Accept-Encoding', 'identity');
    }
  },
};
