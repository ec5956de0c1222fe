import { expect } from 'chai';
import { expectError } from '../expectations.js';
import { get, post, type GetService } from '../service.js';

const BODY = '{"name":"Rex","categoryId":7}';

/** The tests that a transport keeps the header fields of one name apart. `fetch` cannot send two of them. */
export function declareRepeatedFields(service: GetService): void {
  describe('header fields', () => {
    it('may have white space around the value, and a name in any case', async () => {
      const headers = [['aUTHORIZATION', `\t  Bearer ${service().key} \t `]] as const;
      expect((await get(service(), '/pets?limit=1', { authorization: null, headers })).status).to.equal(200);
    });

    it('are no key if there are two Authorization', async () => {
      const key = `Bearer ${service().key}`;
      for (const [first, second] of [
        [key, 'Bearer wrong'],
        ['Bearer wrong', key],
        [key, key],
      ] as const) {
        const headers = [['Authorization', second]] as const;
        const response = await get(service(), '/pets?limit=1', { authorization: first, headers });
        expectError(response, 401, 'unauthorized');
        expect(response.header('WWW-Authenticate')).to.equal('Bearer realm="animal-store"');
      }
    });

    it('are refused if there are two Idempotency-Key', async () => {
      for (const keys of [
        ['same', 'same'],
        ['"one', 'another"'],
      ]) {
        const headers = keys.map((key, i) => [i === 0 ? 'Idempotency-Key' : 'idempotency-key', key] as const);
        expectError(await post(service(), BODY, { headers }), 400, 'invalid_parameter');
      }
    });

    it('make a fresh X-Request-Id if there are two', async () => {
      const headers = [
        ['X-Request-Id', 'a1'],
        ['x-REQUEST-id', 'a1'],
      ] as const;
      const response = await get(service(), '/pets?limit=1', { headers });
      expect(response.header('X-Request-Id')).to.match(/^[A-Za-z0-9._-]{3,128}$/);
    });

    it('are refused if one of two Content-Encoding is a coding', async () => {
      const headers = ['identity', 'gzip'].map((coding) => ['Content-Encoding', coding] as const);
      expectError(await post(service(), BODY, { headers }), 415, 'unsupported_media_type');
    });
  });
}

/** The same for empty fields, not on every transport: Deno drops an empty field before its Fetch API. */
export function declareEmptyFields(service: GetService): void {
  it('an empty Authorization beside the key, Idempotency-Key or Content-Type counts as one', async () => {
    const { key } = service();
    for (const [first, second] of [
      ['', `Bearer ${key}`],
      [`Bearer ${key}`, ''],
    ] as const) {
      const options = { authorization: first, headers: [['Authorization', second]] } as const;
      expectError(await get(service(), '/pets', options), 401, 'unauthorized');
    }
    for (const keys of [[''], ['', 'one']]) {
      const headers = keys.map((each) => ['Idempotency-Key', each] as const);
      expectError(await post(service(), BODY, { headers }), 400, 'invalid_parameter');
    }
    expectError(await post(service(), BODY, { contentType: '' }), 415, 'unsupported_media_type');
  });
}
