import { expect } from 'chai';
import { createFetchHandler } from '../../../../src/adapters/http/fetch/create-fetch-handler.js';
import { InMemoryApiKeys } from '../../../../src/adapters/in-memory/in-memory-api-keys.js';
import { InMemoryPetCatalogue } from '../../../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { createAnimalStore } from '../../../../src/application/animal-store.js';

const KEY = 'a key of sixteen.';

describe('the refusal of a body', () => {
  const handle = createFetchHandler({
    store: createAnimalStore({ catalogue: new InMemoryPetCatalogue() }),
    apiKeys: new InMemoryApiKeys([{ name: 'me', key: KEY }]),
  });

  const CASES: Record<string, { readonly body: string | Uint8Array; readonly fields?: Record<string, string> }> = {
    'the body is missing: it must be a JSON object': { body: '' },
    'the body is not well-formed JSON: the error is at position 2': { body: '{' },
    'the body is nested more than 100 levels deep': { body: '['.repeat(101) + ']'.repeat(101) },
    'the body is not valid UTF-8': { body: Uint8Array.of(0xff) },
    'Content-Type must be application/json, with charset utf-8 or no charset': {
      body: '{}',
      fields: { 'content-type': 'text/plain' },
    },
    'Content-Encoding must be identity, or be left out': { body: '{}', fields: { 'content-encoding': 'gzip' } },
  };

  for (const [message, { body, fields }] of Object.entries(CASES)) {
    it(`says: ${message}`, async () => {
      const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', ...fields };
      const answer = await handle(new Request('http://127.0.0.1/v1/pets', { method: 'POST', headers, body }));
      expect(await answer.json()).to.have.property('message', message);
    });
  }
});
