import { expect } from 'chai';
import { setTimeout as wait } from 'node:timers/promises';
import { InMemoryPetCatalogue } from '../../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { RemotePetCatalogue } from '../../../src/adapters/remote/remote-pet-catalogue.js';
import { allPets } from '../../../src/application/all-pets.js';
import { createAnimalStore } from '../../../src/application/animal-store.js';
import { startTcpProxy, type Fate } from '../../support/tcp-proxy.js';
import { KEY, serveCatalogue, urlOf } from './serve-catalogue.js';

const CREATIONS = 500;
const AT_ONCE = 10;
const DEADLINE_MS = 60_000;

describe('RemotePetCatalogue over a network that loses, cuts and delays', function () {
  this.timeout(180_000);

  it(`stores each of ${CREATIONS} creations once, whose requests and answers are lost at random`, async () => {
    const served = new InMemoryPetCatalogue();
    const proxy = await startTcpProxy(await serveCatalogue(served));

    /** What happens to a request: a third of them fail in some way. */
    function fate(): Fate {
      const chance = Math.random();
      if (chance < 0.1) return 'lose request';
      if (chance < 0.2) return 'lose answer';
      if (chance < 0.25) return { until: wait(20) };
      return chance < 0.33 ? { lateMs: 30 } : 'pass';
    }

    proxy.judge(fate);
    const catalogue = new RemotePetCatalogue({ url: urlOf(proxy.port), apiKey: KEY, deadlineMs: DEADLINE_MS });
    const store = createAnimalStore({ catalogue });
    const created: bigint[] = [];
    let next = 0;

    async function createInTurn(): Promise<void> {
      while (next < CREATIONS) {
        const i = next++;
        const input = { name: `pet ${i}`, categoryId: i };
        // Alternately with a key of the store, and with a key of the caller.
        const { id } =
          i % 2 === 0 ? await store.createPet(input) : (await store.createPetOnce(input, `creation ${i}`)).pet;
        created.push(id);
        if (i % 100 === 50) proxy.hangUp();
      }
    }

    await Promise.all(Array.from({ length: AT_ONCE }, createInTurn));

    const names: string[] = [];
    for await (const { name } of allPets(createAnimalStore({ catalogue: served }))) names.push(name);
    expect(names).to.have.members(Array.from({ length: CREATIONS }, (_, i) => `pet ${i}`));
    expect(new Set(created)).to.have.property('size', CREATIONS);
  });
});
