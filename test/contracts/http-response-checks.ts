import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import {
  assertError,
  assertField,
  assertSame,
  assertStatus,
  createPet,
  createPets,
  jsonOf,
  petOf,
  REX,
  type HttpResponse,
  type HttpClient,
  type HttpRequest,
} from './http-client.js';
import type { Checks } from './test-runner.js';

const JSON_TYPE = { 'Content-Type': 'application/json' };

/** A request for each kind of response under the base path. `ID` stands for the id of an animal. */
const KINDS: readonly (readonly [method: string, path: string, request?: HttpRequest])[] = [
  ['GET', '/pets?limit=1'],
  ['GET', '/pets?after=9223372036854775807'],
  ['GET', '/pets/ID'],
  ['GET', '/pets?limit=0'],
  ['GET', '/pets', { authorization: null }],
  ['GET', '/pets/ID', { authorization: 'Bearer no-such-key-0123456789' }],
  ['GET', '/pets/0'],
  ['GET', '/nowhere'],
  ['POST', '/pets', { body: REX, headers: JSON_TYPE }],
  ['POST', '/pets', { body: '{}', headers: JSON_TYPE }],
  ['POST', '/pets', { body: REX, headers: { 'Content-Type': 'text/plain' } }],
  ['PUT', '/pets'],
];

/** A response of each kind under the base path, if need be by another method than GET, or with more header fields. */
async function eachKind(
  client: HttpClient,
  get = 'GET',
  headers: HttpRequest['headers'] = {},
): Promise<readonly HttpResponse[]> {
  // Two, so that a list of one goes on.
  const [pet] = await createPets(client, 2);
  const responses: HttpResponse[] = [];
  for (const [method, path, request] of KINDS) {
    const sent = { ...request, headers: { ...headers, ...request?.headers } };
    responses.push(await client.send(method === 'GET' ? get : method, path.replace('ID', String(pet?.id)), sent));
  }
  return responses;
}

/** Every kind of response under the base path, and errors beside it. */
async function eachKindAndBeside(client: HttpClient): Promise<readonly HttpResponse[]> {
  return [
    ...(await eachKind(client)),
    await client.sendBeside('POST', '/livez'),
    await client.sendBeside('GET', '/LIVEZ'),
  ];
}

const UTF8_JSON = 'application/json;charset=utf-8';

const ECHOED = ['x', 'x'.repeat(128), 'ABCXYZabcxyz0123456789._-'];
const REPLACED = ['', 'x'.repeat(129), 'a b', 'a,b', 'a\u00e9'];

export const httpResponseChecks: Checks<HttpClient> = {
  'every response is JSON in UTF-8, and says so': async (client) => {
    for (const response of await eachKindAndBeside(client)) {
      jsonOf(response);
      const type = response.headers.get('Content-Type') ?? '';
      assertSame(response, `Content-Type ${inspect(type)}`, type.replaceAll(/[\s"]/g, '').toLowerCase(), UTF8_JSON);
    }
  },

  'every response under the base path, and every error, has Cache-Control: no-store': async (client) => {
    for (const response of await eachKindAndBeside(client)) assertField(response, 'Cache-Control', 'no-store');
  },

  'every error has exactly a code, a message without a stack, and its status': async (client) => {
    for (const response of await eachKindAndBeside(client)) {
      if (response.status < 400) continue;
      const error = jsonOf(response) as { readonly message?: unknown; readonly status?: unknown };
      assertSame(response, 'the members of the error', Object.keys(error).sort(), ['code', 'message', 'status']);
      assertSame(response, 'the status in the body', error.status, response.status);
      const { message } = error;
      assert.ok(
        typeof message === 'string' && message !== '',
        `${response.request}: the message is ${inspect(message)}`,
      );
      assert.doesNotMatch(message, /\n|\bat .*:\d+:\d+/, `${response.request}: the message has a stack: ${message}`);
    }
  },

  'HEAD is answered as GET is, without the body': async (client) => {
    const [gets, heads] = [await eachKind(client), await eachKind(client, 'HEAD')];
    for (const [i, [method]] of KINDS.entries()) {
      const [get, head] = [gets[i] as HttpResponse, heads[i] as HttpResponse];
      if (method !== 'GET') continue;
      assertSame(head, 'the status', head.status, get.status);
      assertSame(head, 'the body', head.text, '');
      for (const name of ['Content-Type', 'Cache-Control', 'WWW-Authenticate', 'Deprecation']) {
        assertField(head, name, get.headers.get(name));
      }
    }
  },

  "X-Request-Id is the client's own, on every response": async (client) => {
    for (const response of await eachKind(client, 'GET', { 'X-Request-Id': 'my.own_id-1' })) {
      assertField(response, 'X-Request-Id', 'my.own_id-1');
    }
    for (const id of ECHOED) {
      assertField(await client.get('/pets?limit=1', { headers: { 'X-Request-Id': id } }), 'X-Request-Id', id);
    }
  },

  "X-Request-Id is a new one if the client's is malformed or missing": async (client) => {
    const requests: HttpRequest[] = [{}, {}, ...REPLACED.map((id) => ({ headers: { 'X-Request-Id': id } }))];
    const ids = await Promise.all(
      requests.map(async (request) => (await client.get('/pets?limit=1', request)).headers.get('X-Request-Id') ?? ''),
    );
    const says = `GET /pets: X-Request-Id is ${ids.join(', ')} for a missing or malformed one`;
    for (const id of ids) assert.match(id, /^[A-Za-z0-9._-]{1,128}$/, says);
    assert.equal(new Set(ids).size, ids.length, says);
    for (const id of ids) assert.ok(!REPLACED.some((sent) => sent.startsWith(id)), says);
  },

  'listPets is answered in JSON, whatever Accept says': async (client) => {
    const response = await client.get('/pets', { headers: { Accept: 'text/html, application/json;q=0' } });
    assertStatus(response, 200);
    jsonOf(response);
    assert.match(
      response.headers.get('Content-Type') ?? '',
      /^application\/json\b/i,
      `${response.request}: Content-Type`,
    );
  },
};

const UNKNOWN = ['', '/', '/pets/', '/Pets', '/pets/1/', '/pets//1', '//pets', '/%70ets', '/pets%2F1', '/nowhere'];

/** Paths beside the base path, which need no key. */
const BESIDE = ['/livez', '/readyz', '/openapi.json'];

export const httpPathChecks: Checks<HttpClient> = {
  'paths are exact and case-sensitive, and any other is answered 404, whatever the method': async (client) => {
    for (const path of UNKNOWN) {
      for (const target of [path, `${path}?limit=1`]) {
        assertError(await client.get(target), 404, 'route_not_found', target);
      }
    }
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      assertError(await client.send(method, '/nowhere'), 404, 'route_not_found', method);
    }
  },

  'another method of a path is answered 405, with the methods that it has': async (client) => {
    const { id } = await createPet(client);
    for (const [path, methods, allowed] of [
      ['/pets', ['PUT', 'PATCH', 'DELETE', 'OPTIONS'], ['GET', 'HEAD', 'POST']],
      [`/pets/${id}`, ['POST', 'PUT', 'DELETE'], ['GET', 'HEAD']],
    ] as const) {
      for (const method of methods) {
        const response = await client.send(method, path, { body: 'x', headers: { 'Content-Type': 'text/plain' } });
        assertError(response, 405, 'method_not_allowed', `${method} ${path}`);
        assertSame(response, 'Allow', response.headers.get('Allow')?.split(/, */).sort(), allowed);
      }
    }
    petOf(await client.get(`/pets/${id}`, { headers: { 'X-HTTP-Method-Override': 'DELETE' } }), 200);
  },

  'what is beside the base path needs no key, and is not under it': async (client) => {
    for (const path of BESIDE) {
      assertStatus(await client.sendBeside('GET', `${path}?limit=0`), 200, path);
      assertError(await client.sendBeside('POST', path), 405, 'method_not_allowed', path);
      for (const other of [`${path}/`, path.toUpperCase()]) {
        assertError(await client.sendBeside('GET', other), 404, 'route_not_found', other);
      }
      assertError(await client.get(path), 404, 'route_not_found', path);
    }
  },

  'the OpenAPI document describes each operation': async (client) => {
    const response = await client.sendBeside('GET', '/openapi.json');
    const { paths } = jsonOf(response) as { readonly paths: Readonly<Record<string, object>> };
    const operations = Object.values(paths).flatMap(
      (path) => Object.values(path) as { readonly operationId?: string }[],
    );
    const ids = operations.map(({ operationId }) => operationId);
    for (const id of ['listPets', 'createPet', 'getPet']) {
      assert.ok(ids.includes(id), `${response.request}: the operationIds are ${ids.join()}, without ${id}`);
    }
  },

  'the OpenAPI document is answered 304 if the client has it': async (client) => {
    const first = await client.sendBeside('GET', '/openapi.json');
    const tag = first.headers.get('ETag');
    assert.ok(tag !== null, `${first.request}: there is no ETag`);
    const known = await client.sendBeside('GET', '/openapi.json', { headers: { 'If-None-Match': `"a", ${tag}` } });
    assertStatus(known, 304);
    assertSame(known, 'the body', known.text, '');
    assertStatus(await client.sendBeside('GET', '/openapi.json', { headers: { 'If-None-Match': '"a"' } }), 200);
  },
};
