import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import type { Answer } from '../../support/answer.js';
import { createPet, expectError, expectReplay, petOf } from '../expectations.js';
import { get, post, type GetService, type RequestOptions, type Service } from '../service.js';

const BODY = '{"name":"Rex","categoryId":7,"status":"sold"}';

/** Another text of the same animal. */
const SAME = ' {"id":99,"status":"sold","name":"Tom",\r\n\t"name" : "Rex","categoryId":7.0e0,"colour":"brown"} ';

/** Animals that differ from the first in one member. */
const OTHERS = {
  'another name': '{"name":"Tom","categoryId":7,"status":"sold"}',
  'no status': '{"name":"Rex","categoryId":7}',
};

/** Animals are created only to be counted, so no two tests, nor two runs on one store, may share a key. */
function newKey(): string {
  return randomUUID();
}

function withKey(key: string): RequestOptions {
  return { headers: [['Idempotency-Key', key]] };
}

/** How many animals were created since this one. */
async function countSince(service: Service, id: string): Promise<number> {
  return (JSON.parse((await get(service, `/pets?limit=100&after=${id}`)).text) as unknown[]).length;
}

/** The tests of creations that are sent again. */
export function declareIdempotencyKey(service: GetService): void {
  describe('Idempotency-Key', () => {
    it('is optional: without it, each request adds an animal, and no answer mentions a replay', async () => {
      for (const answer of [await post(service(), BODY), await post(service(), BODY)]) {
        expect(petOf(answer, 201).name).to.equal('Rex');
        expect(answer.header('Idempotency-Replayed')).to.equal(undefined);
      }
    });

    it('is ignored by the other operations', async () => {
      const { id } = await createPet(service());
      for (const path of ['/pets?limit=1', `/pets/${id}`]) {
        expect((await get(service(), path, withKey('a b'))).status, path).to.equal(200);
      }
    });

    it('answers 400 to a malformed one, and adds nothing', async () => {
      const { id } = await createPet(service());
      expectError(await post(service(), BODY, withKey('x'.repeat(256))), 400, 'invalid_parameter');
      expect(await countSince(service(), id)).to.equal(0);
    });

    // Not on every transport, because Deno drops an empty field before its Fetch API.
    it('answers 400 to a key and an empty key', async () => {
      const headers = [
        ['Idempotency-Key', ''],
        ['Idempotency-Key', 'one'],
      ] as const;
      expectError(await post(service(), BODY, { headers }), 400, 'invalid_parameter');
    });

    it('is checked after the API key, and before the body', async () => {
      const options = withKey('a b');
      expectError(await post(service(), '{', { ...options, authorization: null }), 401, 'unauthorized');
      expectError(await post(service(), '{', options), 400, 'invalid_parameter');
      expectError(await post(service(), 'x', { ...options, contentType: 'text/plain' }), 400, 'invalid_parameter');
      expectError(await post(service(), ' '.repeat(65_537), options), 400, 'invalid_parameter');
    });
  });
}

/** The tests that a transport keeps the fields of a name apart. */
export function declareIdempotencyKeyFields(service: GetService): void {
  describe('Idempotency-Key', () => {
    for (const [what, keys] of Object.entries({
      'one that is given twice': ['same', 'same'],
      'two of them': ['one', 'another'],
      'two quoted strings': ['"one"', '"another"'],
      'two that make a quoted string together': ['"one', 'another"'],
    })) {
      it(`answers 400 to ${what}`, async () => {
        const headers = keys.map((key, i) => [i === 0 ? 'Idempotency-Key' : 'idempotency-key', key] as const);
        expectError(await post(service(), BODY, { headers }), 400, 'invalid_parameter');
      });
    }
  });
}

/** The tests that a store adds an animal once for a key. */
export function declareOnce(service: GetService): void {
  describe('Idempotency-Key on a store that keeps it', () => {
    it('gets the same answer again, and adds one animal', async () => {
      const before = await createPet(service());
      const key = newKey();
      const first = await post(service(), BODY, withKey(key));
      expect(petOf(first, 201).status).to.equal('sold');
      expect(first.header('Idempotency-Replayed')).to.equal(undefined);
      for (let i = 0; i < 3; i++) expectReplay(await post(service(), BODY, withKey(key)), first);
      expect(await countSince(service(), before.id)).to.equal(1);
    });

    it('gets the same answer for another text of the same animal', async () => {
      const key = newKey();
      const first = await post(service(), BODY, withKey(key));
      expectReplay(await post(service(), SAME, withKey(key)), first);
    });

    for (const [what, body] of Object.entries(OTHERS)) {
      it(`answers 422 to another animal, and adds nothing: ${what}`, async () => {
        const key = newKey();
        const first = await post(service(), BODY, withKey(key));
        const refused = await post(service(), body, withKey(key));
        expectError(refused, 422, 'idempotency_key_reused');
        expect(refused.text).not.to.contain('Rex');
        for (const name of ['Location', 'Idempotency-Replayed']) expect(refused.header(name)).to.equal(undefined);
        expect(await countSince(service(), petOf(first, 201).id)).to.equal(0);
        expectReplay(await post(service(), BODY, withKey(key)), first);
      });
    }

    it('is the same key bare and as a quoted string', async () => {
      const key = `${newKey()}"\\`.padEnd(255, 'x');
      const first = await post(service(), BODY, withKey(key));
      expectReplay(await post(service(), BODY, withKey(`"${key.replace(/["\\]/g, '\\$&')}"`)), first);
    });

    it('is not used up by a request that is refused', async () => {
      const key = newKey();
      const options = withKey(key);
      expectError(await post(service(), BODY, { ...options, authorization: 'Bearer wrong-key' }), 401, 'unauthorized');
      expectError(await post(service(), '{"name":"","categoryId":7}', options), 400, 'invalid_body');
      expectError(await post(service(), '{', options), 400, 'invalid_body');
      expectError(await post(service(), ' '.repeat(65_537), options), 413, 'body_too_large');
      expectError(await post(service(), BODY, { ...options, contentType: 'text/xml' }), 415, 'unsupported_media_type');
      const answer = await post(service(), OTHERS['another name'], options);
      expect(petOf(answer, 201).name).to.equal('Tom');
      expect(answer.header('Idempotency-Replayed')).to.equal(undefined);
    });

    it('adds one animal for concurrent requests, which all get it', async () => {
      const before = await createPet(service());
      const key = newKey();
      const answers = await Promise.all(Array.from({ length: 20 }, async () => post(service(), BODY, withKey(key))));
      expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).to.equal(1);
      expect(petOf(answers[0] as Answer, 201).name).to.equal('Rex');
      expect(answers.filter((answer) => answer.header('Idempotency-Replayed') === undefined)).to.have.length.at.most(1);
      expect(await countSince(service(), before.id)).to.equal(1);
    });
  });
}
