import assert from 'node:assert/strict';
import {
  assertError,
  assertField,
  assertSame,
  assertStatus,
  createPet,
  petOf,
  petsOf,
  type HttpResponse,
  type HttpClient,
  type HttpRequest,
} from './http-client.js';
import type { Checks } from './test-runner.js';

const BODY = '{"name":"Rex","categoryId":7,"status":"sold"}';

/** Another text of the same animal. */
const SAME = ' {"id":99,"status":"sold","name":"Tom",\r\n\t"name" : "Rex","categoryId":7.0e0,"colour":"brown"} ';

/** Animals that differ from the first in one member. */
const OTHERS = [
  '{"name":"Tom","categoryId":7,"status":"sold"}',
  '{"name":"Rex","categoryId":8,"status":"sold"}',
  '{"name":"Rex","categoryId":7}',
];

const MALFORMED = [
  ...['a b', 'a\tb', 'x'.repeat(256), 'k\u00e9y', 'one, another', '"one", "another"'],
  ...['"', '"a', '"a"b', '""', '"a\\b"'],
];

/** A key that nobody has used before: no two runs may share one. */
function newKey(): string {
  return globalThis.crypto.randomUUID();
}

function withKey(key: string): HttpRequest {
  return { headers: { 'Idempotency-Key': key } };
}

/** Asserts that a response is that of the creation, but for the field that says that it is a replay. */
function assertReplay(response: HttpResponse, first: HttpResponse): void {
  assertStatus(response, 201);
  assertSame(response, 'the body', response.text, first.text);
  assertField(response, 'Location', first.headers.get('Location'));
  assertField(response, 'Idempotency-Replayed', 'true');
}

/** Asserts that so many animals were created since the one with this id. */
async function assertCreated(client: HttpClient, id: bigint, count: number): Promise<void> {
  const response = await client.get(`/pets?limit=100&after=${id}`);
  assertSame(response, 'the number of new animals', petsOf(response).length, count);
}

export const httpIdempotencyChecks: Checks<HttpClient> = {
  'without an Idempotency-Key, each request adds an animal': async (client) => {
    const { id } = await createPet(client);
    for (const response of [await client.post(BODY), await client.post(BODY)]) {
      assertSame(response, 'the name', petOf(response, 201).name, 'Rex');
      assertField(response, 'Idempotency-Replayed', null);
    }
    await assertCreated(client, id, 2);
  },

  'an Idempotency-Key gets the same response again, and adds one animal': async (client) => {
    const { id } = await createPet(client);
    const key = withKey(newKey());
    const first = await client.post(BODY, key);
    assertSame(first, 'the status of the animal', petOf(first, 201).status, 'sold');
    assertField(first, 'Idempotency-Replayed', null);
    for (const body of [BODY, BODY, SAME]) assertReplay(await client.post(body, key), first);
    await assertCreated(client, id, 1);
  },

  'an Idempotency-Key with another animal gets 422, which reveals nothing of the first': async (client) => {
    for (const other of OTHERS) {
      const key = withKey(newKey());
      const first = await client.post(BODY, key);
      const refused = await client.post(other, key);
      assertError(refused, 422, 'idempotency_key_reused', other);
      assert.doesNotMatch(
        refused.text,
        /Rex|sold/,
        `${refused.request}: the body reveals the first animal: ${refused.text}`,
      );
      for (const name of ['Location', 'Idempotency-Replayed']) assertField(refused, name, null);
      await assertCreated(client, petOf(first, 201).id, 0);
      assertReplay(await client.post(BODY, key), first);
    }
  },

  'an Idempotency-Key is the same bare and as a quoted string, up to 255 characters': async (client) => {
    const key = `${newKey()}"\\`.padEnd(255, 'x');
    const first = await client.post(BODY, withKey(key));
    assertReplay(await client.post(BODY, withKey(`"${key.replace(/["\\]/g, '\\$&')}"`)), first);
  },

  'a malformed Idempotency-Key gets 400, and adds nothing': async (client) => {
    const { id } = await createPet(client);
    for (const key of MALFORMED) assertError(await client.post(BODY, withKey(key)), 400, 'invalid_parameter', key);
    await assertCreated(client, id, 0);
  },

  'an Idempotency-Key is not used up by a request that is refused': async (client) => {
    const key = withKey(newKey());
    assertError(await client.post(BODY, { ...key, authorization: 'Bearer wrong' }), 401, 'unauthorized');
    for (const body of ['{"name":"","categoryId":7}', '{'])
      assertError(await client.post(body, key), 400, 'invalid_body');
    const typed = { headers: { ...key.headers, 'Content-Type': 'text/xml' } };
    assertError(await client.post(BODY, typed), 415, 'unsupported_media_type');
    const response = await client.post(OTHERS[0] as string, key);
    assertSame(response, 'the name', petOf(response, 201).name, 'Tom');
    assertField(response, 'Idempotency-Replayed', null);
  },

  'concurrent requests with an Idempotency-Key add one animal, and all get it': async (client) => {
    const { id } = await createPet(client);
    const key = withKey(newKey());
    const responses = await Promise.all(Array.from({ length: 20 }, async () => client.post(BODY, key)));
    for (const response of responses) {
      assertStatus(response, 201);
      assertSame(response, 'the body', response.text, responses[0]?.text);
    }
    const firsts = responses.filter(({ headers }) => headers.get('Idempotency-Replayed') === null).length;
    assert.ok(firsts <= 1, `POST /pets: ${firsts} of 20 concurrent requests with a key got no Idempotency-Replayed`);
    await assertCreated(client, id, 1);
  },

  'an Idempotency-Key is checked after the API key, and ignored by the other operations': async (client) => {
    const malformed = withKey('a b');
    assertError(await client.post(BODY, { ...malformed, authorization: null }), 401, 'unauthorized');
    const { id } = await createPet(client);
    for (const path of ['/pets?limit=1', `/pets/${id}`]) assertStatus(await client.get(path, malformed), 200);
  },
};
