import { expect } from 'chai';
import { fetchInMemory, REX, type Sent } from '../../support/in-memory-interface.js';

/** What the message of an error has to name, for the faults that a client could not find otherwise. */
const CASES: readonly (readonly [named: string, path: string, sent?: Sent])[] = [
  ['Authorization is missing', '/v1/pets', { key: null }],
  ['Authorization must be "Bearer"', '/v1/pets', { key: null, headers: { authorization: 'Basic YTpi' } }],
  ['must not end with a slash', '/v1/pets/'],
  ['must not end with a slash', '/v1/pets/7/'],
  ['no such route', '/v1/nowhere/'],
  ['limit must be', '/v1/pets?limit=05&status=Sold&after=%2B7'],
  ['status must be one of available, pending, sold', '/v1/pets?limit=05&status=Sold&after=%2B7'],
  ['after must be given once', '/v1/pets?after=1&after=1'],
  ['the body is missing', '/v1/pets', { body: '' }],
  ['position 2', '/v1/pets', { body: '{' }],
  ['more than 100 levels', '/v1/pets', { body: '['.repeat(101) + ']'.repeat(101) }],
  ['UTF-8', '/v1/pets', { body: Uint8Array.of(0xff) }],
  ['name is required; categoryId is required', '/v1/pets', { body: '{}' }],
  ['Content-Type must be', '/v1/pets', { body: REX, headers: { 'content-type': 'text/plain' } }],
  ['Content-Encoding must be', '/v1/pets', { body: REX, headers: { 'content-encoding': 'gzip' } }],
];

describe('the message of an error', () => {
  const ask = fetchInMemory();
  for (const [named, path, sent] of CASES) {
    it(`says "${named}" to ${path}`, async () => {
      const { message } = (await (await ask(path, sent)).json()) as { readonly message: string };
      expect(message).to.include(named);
    });
  }
});
