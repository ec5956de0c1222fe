import { expect } from 'chai';
import type { Db } from 'mongodb';
import { MongoPetCatalogue } from '../../../src/adapters/mongodb/pets/mongo-pet-catalogue.js';
import { ping } from '../../../src/adapters/mongodb/client.js';
import { AnimalStoreError } from '../../../src/domain/errors.js';
import type { ControllableServer } from '../../support/mongodb-server.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { SLACK_MS } from '../../support/slack.js';
import { until } from '../../support/until.js';
import { usePrivateServer } from '../../support/use-mongodb.js';
import { startCatalogueLoad } from './pets/catalogue-load.js';
import { PATIENT } from '../../support/patience.js';

const DEADLINE_MS = 2000;
const RECOVERY_MS = 5000;

const FAULTS: Record<string, { begin(server: ControllableServer): unknown; end(server: ControllableServer): unknown }> =
  {
    stopped: { begin: async (server) => server.stop(), end: async (server) => server.start() },
    paused: { begin: async (server) => server.pause(), end: (server) => server.resume() },
  };

describe('MongoPetCatalogue on a server that fails', function () {
  this.timeout(180_000);
  const { server, createClient } = usePrivateServer();
  let catalogue: MongoPetCatalogue;

  const openDatabase = (): Db => createClient(server().url, { deadlineMs: DEADLINE_MS }).db('faults');

  before(async () => {
    catalogue = new MongoPetCatalogue(openDatabase(), { deadlineMs: DEADLINE_MS });
    await catalogue.init();
    await catalogue.add({ name: 'Rex', categoryId: 7n });
  });

  it('fails no creation if the server pauses for less than the deadline', async () => {
    const pausesMs = 3000;
    // Only the monitoring is as impatient as usual: a busy machine may take longer for the creations.
    const client = createClient(server().url, { waitQueueTimeoutMS: 30_000, serverSelectionTimeoutMS: 30_000 });
    const patient = new MongoPetCatalogue((await client.connect()).db('pause'), PATIENT);
    const addMany = () => Array.from({ length: 64 }, async () => patient.add({ name: 'Rex', categoryId: 7n }));
    await Promise.all(addMany());
    const creations = addMany();
    await server().pause();
    const paused = performance.now();
    await until(() => performance.now() - paused > pausesMs);
    server().resume();
    const pets = await Promise.all(creations);
    expect(new Set(pets.map(({ id }) => id)).size).to.equal(64);
  });

  for (const [what, { begin, end }] of Object.entries(FAULTS)) {
    it(`rejects every call with store_unavailable within the deadline while the server is ${what}`, async () => {
      await begin(server());
      const db = openDatabase();
      const calls: Record<string, () => Promise<unknown>> = {
        add: async () => catalogue.add({ name: 'Tom', categoryId: 7n }),
        find: async () => catalogue.find(1n),
        list: async () => catalogue.list({ limit: 1 }),
        'the first call of a client': async () => new MongoPetCatalogue(db, { deadlineMs: DEADLINE_MS }).find(1n),
        ping: async () => ping(db),
      };
      await Promise.all(
        Object.entries(calls).map(async ([name, call]) => {
          const start = performance.now();
          const error = await rejectionOf(call());
          expect(performance.now() - start, name).to.be.lessThan(DEADLINE_MS + SLACK_MS);
          expect(error, name).to.be.instanceOf(AnimalStoreError);
          expect(error, name).to.include({ code: 'store_unavailable', message: 'the store did not answer in time' });
          expect((error as Error).cause, name).to.be.instanceOf(Error);
        }),
      );
      await end(server());
    });

    it(`loses nothing that was acknowledged, and is back within 5 seconds, when the server is ${what} under load`, async () => {
      const { load, stored } = startCatalogueLoad(catalogue);
      await load.next('answered', 100);
      await begin(server());
      await load.next('unavailable', 16);
      await end(server());
      const returned = performance.now();
      await load.next('answered', 1);
      const recoveryMs = performance.now() - returned;
      await load.next('answered', 50);
      const { unexpected, slowestMs } = await load.end();

      expect(unexpected).to.deep.equal([]);
      expect(recoveryMs).to.be.lessThan(RECOVERY_MS + SLACK_MS);
      expect(slowestMs).to.be.lessThan(DEADLINE_MS + SLACK_MS);
      expect(new Set(stored.map(({ id }) => id)).size).to.equal(stored.length);
      for (const pet of stored) expect(await catalogue.find(pet.id)).to.deep.equal(pet);
    });
  }
});
