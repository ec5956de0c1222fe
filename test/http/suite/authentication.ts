import { expect } from 'chai';
import type { Answer } from '../../support/answer.js';
import { expectError } from '../expectations.js';
import { get, type GetService, type RequestOptions } from '../service.js';

const WITHOUT_KEY = 'Bearer realm="animal-store"';
const WITH_WRONG_KEY = 'Bearer realm="animal-store", error="invalid_token"';

function expect401(answer: Answer): string | undefined {
  expectError(answer, 401, 'unauthorized');
  return answer.header('WWW-Authenticate');
}

/** The tests that a key gets through the transport as it was sent. */
export function declareAuthenticationFields(service: GetService): void {
  const list = async (options: RequestOptions): Promise<Answer> => get(service(), '/pets?limit=1', options);

  describe('the field Authorization', () => {
    it('is accepted with white space around the value, which is not part of it', async () => {
      expect((await list({ authorization: `\t  Bearer ${service().key} \t ` })).status).to.equal(200);
    });

    it('is accepted with its name in any case', async () => {
      const answer = await list({ authorization: null, headers: [['aUTHORIZATION', `Bearer ${service().key}`]] });
      expect(answer.status).to.equal(200);
    });

    const pairs: Record<string, (key: string) => [string, string]> = {
      'two headers, the first with the key': (key) => [`Bearer ${key}`, 'Bearer wrong'],
      'two headers, the second with the key': (key) => ['Bearer wrong', `Bearer ${key}`],
      'two headers, both with the key': (key) => [`Bearer ${key}`, `Bearer ${key}`],
    };
    for (const [what, pair] of Object.entries(pairs)) {
      it(`is answered 401 as for no key with ${what}`, async () => {
        const [first, second] = pair(service().key);
        const answer = await list({ authorization: first, headers: [['Authorization', second]] });
        expect(expect401(answer)).to.equal(WITHOUT_KEY);
      });
    }
  });
}

/** The tests of API keys. */
export function declareAuthentication(service: GetService): void {
  const list = async (options: RequestOptions): Promise<Answer> => get(service(), '/pets?limit=1', options);
  const authorized = async (value: string): Promise<Answer> => list({ authorization: value });

  describe('authentication', () => {
    describe('accepts', () => {
      const forms: Record<string, (key: string) => string> = {
        'the key as a bearer token': (key) => `Bearer ${key}`,
        'the name of the scheme in mixed case': (key) => `bEaReR ${key}`,
        'many spaces before the key': (key) => `Bearer${' '.repeat(50)}${key}`,
      };
      for (const [what, form] of Object.entries(forms)) {
        it(what, async () => {
          expect((await authorized(form(service().key))).status).to.equal(200);
        });
      }
    });

    describe('answers 401 as for no key', () => {
      it('without the header', async () => {
        expect(expect401(await list({ authorization: null }))).to.equal(WITHOUT_KEY);
      });

      const forms: Record<string, (key: string) => string> = {
        'an empty header': () => '',
        'the scheme alone': () => 'Bearer',
        'the key alone': (key) => key,
        'another scheme': (key) => `Basic ${key}`,
        'a scheme that begins alike': (key) => `Bearers ${key}`,
        'a scheme that ends alike': (key) => `xBearer ${key}`,
        'a tab before the key': (key) => `Bearer\t${key}`,
      };
      for (const [what, form] of Object.entries(forms)) {
        it(what, async () => {
          expect(expect401(await authorized(form(service().key)))).to.equal(WITHOUT_KEY);
        });
      }

      // Not on every transport, because Deno drops an empty field before its Fetch API.
      it('an empty header beside that with the key', async () => {
        const { key } = service();
        for (const [first, second] of [
          ['', `Bearer ${key}`],
          [`Bearer ${key}`, ''],
        ] as const) {
          const answer = await list({ authorization: first, headers: [['Authorization', second]] });
          expect(expect401(answer)).to.equal(WITHOUT_KEY);
        }
      });

      it('a key that is sent elsewhere', async () => {
        const { key } = service();
        const headers = [
          ['X-API-Key', key],
          ['Proxy-Authorization', `Bearer ${key}`],
          ['Cookie', `access_token=${key}`],
        ] as const;
        const answer = await get(service(), `/pets?access_token=${key}`, { authorization: null, headers });
        expect(expect401(answer)).to.equal(WITHOUT_KEY);
      });
    });

    describe('answers 401 as for an invalid key', () => {
      const keys: Record<string, (key: string) => string> = {
        'an unknown one': () => 'nobody-has-this-key-0123456789',
        'one character more': (key) => `${key}x`,
        'the other case': (key) => (key === key.toUpperCase() ? key.toLowerCase() : key.toUpperCase()),
        '15,000 characters': () => 'k'.repeat(15_000),
        'a second word after the key': (key) => `${key} ${key}`,
        'a comma and a second credential': (key) => `${key}, Bearer ${key}`,
        'characters beyond ASCII': () => 'kl\u00e9-\u00ff',
      };
      for (const [what, wrong] of Object.entries(keys)) {
        it(what, async () => {
          expect(expect401(await authorized(`Bearer ${wrong(service().key)}`))).to.equal(WITH_WRONG_KEY);
        });
      }

      it('never repeats the key in the answer', async () => {
        const answer = await authorized('Bearer nobody-has-this-key-0123456789');
        expect(JSON.stringify([answer.headers, answer.text])).not.to.contain('nobody-has');
      });
    });
  });
}
