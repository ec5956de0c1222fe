import { expect } from 'chai';
import { expectError } from '../expectations.js';
import { get, post, type GetService } from '../service.js';

const BODY = '{"name":"Rex","categoryId":7}';

/** The tests that a transport keeps the header fields of one name apart. `fetch` cannot send two of them. */
export function declareRepeatedFields(service: GetService): void {
  describe('header fields', () => {
    it('may have white space around the value, and a name in any case', async () => {
      const { key } = service();
      for (const name of ['Authorization', 'aUTHORIZATION']) {
        const headers = [[name, `\t  Bearer ${key} \t `]] as const;
        expect((await get(service(), '/pets?limit=1', { authorization: null, headers })).status).to.equal(200);
      }
    });

    it('are no key if there are two Authorization', async () => {
      const { key } = service();
      for (const [first, second] of [
        [`Bearer ${key}`, 'Bearer wrong'],
        ['Bearer wrong', `Bearer ${key}`],
        [`Bearer ${key}`, `Bearer ${key}`],
      ] as const) {
        const headers = [['Authorization', second]] as const;
        const answer = await get(service(), '/pets?limit=1', { authorization: first, headers });
        expectError(answer, 401, 'unauthorized');
        expect(answer.header('WWW-Authenticate')).to.equal('Bearer realm="animal-store"');
      }
    });

    it('are refused if there are two Idempotency-Key', async () => {
      for (const keys of [
        ['same', 'same'],
        ['one', 'another'],
        ['"one"', '"another"'],
        ['"one', 'another"'],
      ]) {
        const headers = keys.map((key, i) => [i === 0 ? 'Idempotency-Key' : 'idempotency-key', key] as const);
        expectError(await post(service(), BODY, { headers }), 400, 'invalid_parameter');
      }
    });

    it('make a fresh X-Request-Id if there are two', async () => {
      for (const second of ['b2', 'a1', '']) {
        const headers = [
          ['X-Request-Id', 'a1'],
          ['x-REQUEST-id', second],
        ] as const;
        const { headers: answered } = await get(service(), '/pets?limit=1', { headers });
        const [, id] = answered.find(([name]) => name.toLowerCase() === 'x-request-id') ?? [];
        expect(id).to.match(/^[A-Za-z0-9._-]{3,128}$/);
      }
    });

    it('are refused if one of two Content-Encoding is a coding', async () => {
      const headers = [
        ['Content-Encoding', 'identity'],
        ['Content-Encoding', 'gzip'],
      ] as const;
      expectError(await post(service(), BODY, { headers }), 415, 'unsupported_media_type');
    });
  });
}

/** The same for empty fields, not on every transport: Deno drops an empty field before its Fetch API. */
export function declareEmptyFields(service: GetService): void {
  describe('an empty header field', () => {
    it('is no key, beside that with the key', async () => {
      const key = `Bearer ${service().key}`;
      for (const [first, second] of [
        ['', key],
        [key, ''],
      ] as const) {
        const headers = [['Authorization', second]] as const;
        expectError(await get(service(), '/pets', { authorization: first, headers }), 401, 'unauthorized');
      }
    });

    it('is no Idempotency-Key, alone or beside another one', async () => {
      for (const keys of [[''], ['', 'one']]) {
        const headers = keys.map((key) => ['Idempotency-Key', key] as const);
        expectError(await post(service(), BODY, { headers }), 400, 'invalid_parameter');
      }
    });

    it('is no media type', async () => {
      expectError(await post(service(), BODY, { contentType: '' }), 415, 'unsupported_media_type');
    });
  });
}
