import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { assertError, petsOf, type HttpClient, type HttpRequest } from './http-client.js';
import type { Checks } from './test-runner.js';

/** Requests that would all be refused with a valid key. */
const BAD_REQUESTS: readonly (readonly [method: string, path: string, request?: HttpRequest])[] = [
  ['GET', '/pets?limit=0'],
  ['GET', '/pets/x'],
  ['POST', '/pets', { body: '{' }],
  ['POST', '/pets', { body: 'x', headers: { 'Content-Type': 'text/plain' } }],
  ['PUT', '/pets'],
  ['OPTIONS', '/pets'],
  ['GET', '/nowhere'],
  ['GET', '/Pets'],
  ['GET', ''],
];

/** A challenge of the scheme Bearer, whatever its realm, perhaps among others. */
const BEARER = /(?:^|,)\s*Bearer(?=[\s,]|$)/i;

/** What such a challenge says if the request had a key (RFC 6750, section 3.1). */
const INVALID_TOKEN = /\berror\s*=\s*"?invalid_token\b/i;

/** Asserts that a request is refused as one without a key, or as one with an invalid key. */
async function assertUnauthorized(client: HttpClient, authorization: string | null, isKey: boolean): Promise<void> {
  const response = await client.get('/pets?limit=1', { authorization });
  assertError(response, 401, 'unauthorized', String(authorization));
  const challenge = response.headers.get('WWW-Authenticate') ?? '';
  const says = `${response.request} with the Authorization ${inspect(authorization)}: WWW-Authenticate is ${inspect(challenge)}`;
  assert.match(challenge, BEARER, `${says}, not a challenge of the scheme Bearer`);
  assert.equal(INVALID_TOKEN.test(challenge), isKey, `${says}, ${isKey ? 'without' : 'with'} error="invalid_token"`);
  assert.ok(!response.text.includes('no-such-key'), `${response.request}: the response has the key`);
}

export const httpAuthenticationChecks: Checks<HttpClient> = {
  'the name of the scheme may be in any case, with several spaces after it': async (client) => {
    const { apiKey } = client;
    for (const authorization of [`Bearer ${apiKey}`, `bEaReR ${apiKey}`, `Bearer${' '.repeat(50)}${apiKey}`]) {
      petsOf(await client.get('/pets?limit=1', { authorization }), authorization);
    }
  },

  'anything but one bearer token counts as no key': async (client) => {
    const { apiKey } = client;
    const others = [`Basic ${apiKey}`, apiKey, `Bearers ${apiKey}`, `xBearer ${apiKey}`, `Bearer\t${apiKey}`];
    for (const value of [null, '', 'Bearer', ...others]) await assertUnauthorized(client, value, false);
  },

  'a key that is not exactly an API key is an invalid one': async (client) => {
    const { apiKey } = client;
    const swapped = apiKey === apiKey.toUpperCase() ? apiKey.toLowerCase() : apiKey.toUpperCase();
    const near = [`${apiKey}x`, `${apiKey} ${apiKey}`, ...(swapped === apiKey ? [] : [swapped])];
    for (const key of ['no-such-key-0123456789', 'k'.repeat(5000), 'kl\u00e9-\u00ff', ...near]) {
      await assertUnauthorized(client, `Bearer ${key}`, true);
    }
  },

  'a key counts only in Authorization': async (client) => {
    const headers = { 'X-API-Key': client.apiKey, 'Proxy-Authorization': `Bearer ${client.apiKey}` };
    const response = await client.get(`/pets?access_token=${client.apiKey}`, { authorization: null, headers });
    assertError(response, 401, 'unauthorized');
  },

  'the key is checked before everything else under the base path': async (client) => {
    for (const authorization of [null, 'Bearer no-such-key-0123456789']) {
      for (const [method, path, request] of BAD_REQUESTS) {
        const response = await client.send(method, path, { ...request, authorization });
        assertError(response, 401, 'unauthorized', `${method} ${path}`);
      }
    }
  },
};
