import { expect } from 'chai';
import { fetchInMemory, REX, type Sent } from '../../support/in-memory-interface.js';

const INT64 = 'an integer from -9223372036854775808 to 9223372036854775807';

/** What each refusal says, for the requests that break a rule. Those of the OpenAPI document are compared there. */
const CASES: readonly (readonly [message: string, path: string, sent?: Sent])[] = [
  [
    'limit must be an integer from 1 to 100, in decimal digits without sign or leading zero; ' +
      'status must be one of available, pending, sold; ' +
      `after must be ${INT64}, in decimal digits without plus sign or leading zero`,
    '/v1/pets?limit=05&status=Sold&after=%2B7',
  ],
  ['after must be given once', '/v1/pets?after=1&after=1'],
  ['petId is not an int64 in plain decimal digits: no animal has it', '/v1/pets/seven'],
  [
    'Idempotency-Key must be given once, and be 1 to 255 visible ASCII characters, bare or as a quoted string',
    '/v1/pets',
    { body: REX, headers: { 'idempotency-key': 'a b' } },
  ],
  ['the body is missing: it must be a JSON object', '/v1/pets', { body: '' }],
  ['the body is not well-formed JSON: the error is at position 2', '/v1/pets', { body: '{' }],
  ['the body is nested more than 100 levels deep', '/v1/pets', { body: '['.repeat(101) + ']'.repeat(101) }],
  ['the body is not valid UTF-8', '/v1/pets', { body: Uint8Array.of(0xff) }],
  ['the body must be a JSON object', '/v1/pets', { body: '[]' }],
  ['name is required; categoryId is required', '/v1/pets', { body: '{}' }],
  [
    'name must be a string of 1 to 1024 Unicode code points, at least one of them not white space, without U+0000 or lone surrogates; ' +
      `categoryId must be ${INT64}; ` +
      'status must be one of available, pending, sold, or be left out',
    '/v1/pets',
    { body: '{"name":5,"categoryId":7.5,"status":"gone"}' },
  ],
  [
    'Content-Type must be application/json, with charset utf-8 or no charset',
    '/v1/pets',
    { body: REX, headers: { 'content-type': 'text/plain' } },
  ],
  [
    'Content-Encoding must be identity, or be left out',
    '/v1/pets',
    { body: REX, headers: { 'content-encoding': 'gzip' } },
  ],
];

describe('the message of a refusal', () => {
  const ask = fetchInMemory();
  for (const [message, path, sent] of CASES) {
    it(message, async () => {
      expect(await (await ask(path, sent)).json()).to.have.property('message', message);
    });
  }
});
