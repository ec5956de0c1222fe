import assert from 'node:assert/strict';
import {
  assertError,
  assertStatus,
  createPet,
  createPets,
  petOf,
  REX,
  type HttpAnswer,
  type HttpClient,
  type HttpRequest,
} from './http-client.js';
import type { Checks } from './test-runner.js';

/** A request for each kind of answer under the base path, by the status of the answer. `ID` stands for the id of an animal. */
const KINDS: readonly (readonly [status: number, method: string, path: string, request?: HttpRequest])[] = [
  [200, 'GET', '/pets?limit=1'],
  [200, 'GET', '/pets?after=9223372036854775807'],
  [200, 'GET', '/pets/ID'],
  [201, 'POST', '/pets', { body: REX, headers: { 'Content-Type': 'application/json' } }],
  [400, 'GET', '/pets?limit=0'],
  [400, 'POST', '/pets', { body: '{}', headers: { 'Content-Type': 'application/json' } }],
  [401, 'GET', '/pets', { authorization: null }],
  [401, 'GET', '/pets/ID', { authorization: 'Bearer no-such-key-0123456789' }],
  [404, 'GET', '/pets/0'],
  [404, 'GET', '/nowhere'],
  [405, 'PUT', '/pets'],
  [415, 'POST', '/pets', { body: REX, headers: { 'Content-Type': 'text/plain' } }],
];

/** The fields that the answers of one status have, and no others. */
const FIELDS_OF = { 'WWW-Authenticate': 401, Allow: 405, Location: 201 };

/** Sends a request of each kind, with the method given instead of its own if it is a GET. */
async function eachKind(
  client: HttpClient,
  get = 'GET',
  headers: HttpRequest['headers'] = {},
): Promise<readonly HttpAnswer[]> {
  // Two, so that a list of one goes on.
  const [pet] = await createPets(client, 2);
  const answers: HttpAnswer[] = [];
  for (const [status, method, path, request] of KINDS) {
    const sent = { ...request, headers: { ...headers, ...request?.headers } };
    const target = path.replace('ID', String(pet?.id));
    const answer = await client.send(method === 'GET' ? get : method, target, sent);
    assertStatus(answer, status, `${method} ${path}`);
    answers.push(answer);
  }
  return answers;
}

const ECHOED = ['x', 'x'.repeat(128), 'ABCXYZabcxyz0123456789._-'];
const REPLACED = ['', 'x'.repeat(129), 'a b', 'a,b', 'a\u00e9'];

export const httpAnswerChecks: Checks<HttpClient> = {
  'every answer has JSON in UTF-8 with its length, not to be stored or sniffed, and only the fields of its status':
    async (client) => {
      for (const { status, headers, text } of await eachKind(client)) {
        JSON.parse(text);
        assert.equal(headers.get('Content-Type'), 'application/json; charset=utf-8', text);
        assert.equal(headers.get('Content-Length'), String(new TextEncoder().encode(text).length), text);
        assert.equal(headers.get('Cache-Control'), 'no-store', text);
        assert.equal(headers.get('X-Content-Type-Options'), 'nosniff', text);
        for (const [name, only] of Object.entries(FIELDS_OF)) {
          assert.equal(headers.has(name), status === only, `${name} of a ${status}`);
        }
      }
    },

  'HEAD is answered as GET is, without the body': async (client) => {
    const [gets, heads] = [await eachKind(client), await eachKind(client, 'HEAD')];
    for (const [i, [, method, path]] of KINDS.entries()) {
      const [get, head] = [gets[i] as HttpAnswer, heads[i] as HttpAnswer];
      if (method !== 'GET') continue;
      assert.equal(head.text, '', path);
      for (const name of ['Content-Type', 'Cache-Control', 'WWW-Authenticate', 'Deprecation']) {
        assert.equal(head.headers.get(name), get.headers.get(name), `${name} of ${path}`);
      }
    }
  },

  "X-Request-Id is the client's own, on every answer": async (client) => {
    for (const { headers, text } of await eachKind(client, 'GET', { 'X-Request-Id': 'my.own_id-1' })) {
      assert.equal(headers.get('X-Request-Id'), 'my.own_id-1', text);
    }
    for (const id of ECHOED) {
      const { headers } = await client.get('/pets?limit=1', { headers: { 'X-Request-Id': id } });
      assert.equal(headers.get('X-Request-Id'), id);
    }
  },

  "X-Request-Id is a new one if the client's is malformed or missing": async (client) => {
    const requests: HttpRequest[] = [{}, {}, ...REPLACED.map((id) => ({ headers: { 'X-Request-Id': id } }))];
    const ids = await Promise.all(
      requests.map(async (request) => (await client.get('/pets?limit=1', request)).headers.get('X-Request-Id') ?? ''),
    );
    for (const id of ids) assert.match(id, /^[A-Za-z0-9._-]{1,128}$/);
    assert.equal(new Set(ids).size, ids.length, 'two requests have the same id');
    for (const id of ids) assert.ok(!REPLACED.some((sent) => sent.startsWith(id)), 'it is a part of a malformed one');
  },

  'the type of the answer does not depend on Accept': async (client) => {
    const { status, headers } = await client.get('/pets', { headers: { Accept: 'text/html, application/json;q=0' } });
    assert.deepEqual([status, headers.get('Content-Type')], [200, 'application/json; charset=utf-8']);
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
        const answer = await client.send(method, path, { body: 'x', headers: { 'Content-Type': 'text/plain' } });
        assertError(answer, 405, 'method_not_allowed', `${method} ${path}`);
        assert.deepEqual(answer.headers.get('Allow')?.split(/, */).sort(), allowed);
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
    const { text } = await client.sendBeside('GET', '/openapi.json');
    const { paths } = JSON.parse(text) as { readonly paths: Readonly<Record<string, object>> };
    const operations = Object.values(paths).flatMap(
      (path) => Object.values(path) as { readonly operationId?: string }[],
    );
    const ids = operations.map(({ operationId }) => operationId);
    for (const id of ['listPets', 'createPet', 'getPet']) assert.ok(ids.includes(id), `${id} is missing`);
  },

  'the OpenAPI document is answered 304 if the client has it': async (client) => {
    const tag = (await client.sendBeside('GET', '/openapi.json')).headers.get('ETag');
    assert.ok(tag !== null, 'it has no ETag');
    const known = await client.sendBeside('GET', '/openapi.json', { headers: { 'If-None-Match': `"a", ${tag}` } });
    assert.deepEqual([known.status, known.text], [304, '']);
    assertStatus(await client.sendBeside('GET', '/openapi.json', { headers: { 'If-None-Match': '"a"' } }), 200);
  },
};
