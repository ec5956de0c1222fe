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
    const counts = { pass: 0, 'lose request': 0, 'lose answer': 0, delay: 0, late: 0 };

    /** What happens to a request: a third of them fail in some way. */
    function fate(): Fate {
      const chance = Math.random();
      const end = (name: keyof typeof counts, is: Fate): Fate => (counts[name]++, is);
      if (chance < 0.1) return end('lose request', 'lose request');
      if (chance < 0.2) return end('lose answer', 'lose answer');
      if (chance < 0.25) return end('delay', { until: wait(20) });
      if (chance < 0.33) return end('late', { lateMs: 30 });
      return end('pass', 'pass');
    }

    proxy.judge(fate);
    const url = urlOf(proxy.port);
    const store = createAnimalStore({
      catalogue: new RemotePetCatalogue({ url, apiKey: KEY, deadlineMs: DEADLINE_MS }),
    });
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
    for (const [what, count] of Object.entries(counts)) expect(count, what).to.be.greaterThan(0);
  });

  it('sends its requests over new connections if the old ones are dead', async () => {
    const served = new InMemoryPetCatalogue([{ name: 'Rex', categoryId: 7 }]);
    const proxy = await startTcpProxy(await serveCatalogue(served));
    const catalogue = new RemotePetCatalogue({ url: urlOf(proxy.port), apiKey: KEY, deadlineMs: 2000 });
    await catalogue.find(1n);
    const lost = proxy.swallowConnectionOf('after=0');
    expect(await catalogue.find(1n)).to.have.property('name', 'Rex');
    await lost;
  });
});
