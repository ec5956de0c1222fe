import { expect } from 'chai';
import { createFetchHandler } from '../../../../src/adapters/http/fetch/create-fetch-handler.js';
import { InMemoryApiKeys } from '../../../../src/adapters/in-memory/in-memory-api-keys.js';
import { InMemoryPetCatalogue } from '../../../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { createAnimalStore } from '../../../../src/application/animal-store.js';

const KEY = 'a key of sixteen.';

describe('getPet', () => {
  it('says why no animal has an id that is not an int64', async () => {
    const handle = createFetchHandler({
      store: createAnimalStore({ catalogue: new InMemoryPetCatalogue() }),
      apiKeys: new InMemoryApiKeys([{ name: 'me', key: KEY }]),
    });
    const headers = { authorization: `Bearer ${KEY}` };
    const answer = await handle(new Request('http://127.0.0.1/v1/pets/seven', { headers }));
    expect(await answer.json()).to.deep.equal({
      code: 'pet_not_found',
      message: 'petId is not an int64 in plain decimal digits: no animal has it',
      status: 404,
    });
  });
});
