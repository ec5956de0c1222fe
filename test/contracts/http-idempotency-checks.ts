import assert from 'node:assert/strict';
import {
  assertError,
  createPet,
  petOf,
  petsOf,
  type HttpAnswer,
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

/** Asserts that an answer is that of the creation, but for the field that says that it is a replay. */
function assertReplay(answer: HttpAnswer, first: HttpAnswer): void {
  assert.deepEqual([answer.status, answer.text], [201, first.text]);
  assert.equal(answer.headers.get('Location'), first.headers.get('Location'));
  assert.equal(answer.headers.get('Idempotency-Replayed'), 'true');
}

/** Asserts that so many animals were created since the one with this id. */
async function assertCreated(client: HttpClient, id: bigint, count: number): Promise<void> {
  assert.equal(petsOf(await client.get(`/pets?limit=100&after=${id}`)).length, count, 'the number of new animals');
}

export const httpIdempotencyChecks: Checks<HttpClient> = {
  'without an Idempotency-Key, each request adds an animal': async (client) => {
    const { id } = await createPet(client);
    for (const answer of [await client.post(BODY), await client.post(BODY)]) {
      assert.equal(petOf(answer, 201).name, 'Rex');
      assert.equal(answer.headers.get('Idempotency-Replayed'), null);
    }
    await assertCreated(client, id, 2);
  },

  'an Idempotency-Key gets the same answer again, and adds one animal': async (client) => {
    const { id } = await createPet(client);
    const key = withKey(newKey());
    const first = await client.post(BODY, key);
    assert.equal(petOf(first, 201).status, 'sold');
    assert.equal(first.headers.get('Idempotency-Replayed'), null);
    for (const body of [BODY, BODY, SAME]) assertReplay(await client.post(body, key), first);
    await assertCreated(client, id, 1);
  },

  'an Idempotency-Key with another animal gets 422, which reveals nothing of the first': async (client) => {
    for (const other of OTHERS) {
      const key = withKey(newKey());
      const first = await client.post(BODY, key);
      const refused = await client.post(other, key);
      assertError(refused, 422, 'idempotency_key_reused', other);
      assert.doesNotMatch(refused.text, /Rex|sold/);
      for (const name of ['Location', 'Idempotency-Replayed']) assert.equal(refused.headers.get(name), null, name);
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
    const answer = await client.post(OTHERS[0] as string, key);
    assert.equal(petOf(answer, 201).name, 'Tom');
    assert.equal(answer.headers.get('Idempotency-Replayed'), null);
  },

  'concurrent requests with an Idempotency-Key add one animal, and all get it': async (client) => {
    const { id } = await createPet(client);
    const key = withKey(newKey());
    const answers = await Promise.all(Array.from({ length: 20 }, async () => client.post(BODY, key)));
    for (const answer of answers) assert.deepEqual([answer.status, answer.text], [201, answers[0]?.text]);
    assert.ok(answers.filter(({ headers }) => headers.get('Idempotency-Replayed') === null).length <= 1);
    await assertCreated(client, id, 1);
  },

  'an Idempotency-Key is checked after the API key, and ignored by the other operations': async (client) => {
    const malformed = withKey('a b');
    assertError(await client.post(BODY, { ...malformed, authorization: null }), 401, 'unauthorized');
    const { id } = await createPet(client);
    for (const path of ['/pets?limit=1', `/pets/${id}`]) assert.equal((await client.get(path, malformed)).status, 200);
  },
};
