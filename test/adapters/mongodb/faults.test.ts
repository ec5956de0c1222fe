import { expect } from 'chai';
import type { Db } from 'mongodb';
import { MongoPetCatalogue } from '../../../src/adapters/mongodb/pets/mongo-pet-catalogue.js';
import { ping } from '../../../src/adapters/mongodb/client.js';
import { AnimalStoreError } from '../../../src/domain/errors.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { SLACK_MS } from '../../support/slack.js';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.js';
import { until } from '../../support/until.js';
import { throughProxy, usePrivateServer } from '../../support/use-mongodb.js';
import { startCatalogueLoad } from './pets/catalogue-load.js';
import { PATIENT } from '../../support/patience.js';

const REX = { name: 'Rex', categoryId: 7n } as const;
const DEADLINE_MS = 2000;

interface Fault {
  /** By when calls succeed again after its end, in milliseconds. */
  readonly recoveryMs: number;
  begin(): unknown;
  end(): unknown;
}

describe('MongoPetCatalogue on a server or over a network that fails', function () {
  this.timeout(180_000);
  const { server, createClient } = usePrivateServer();
  let proxy: TcpProxy;

  before(async () => {
    proxy = await startTcpProxy(server().port);
  });

  afterEach(() => (proxy as TcpProxy | undefined)?.pass());

  after(async () => (proxy as TcpProxy | undefined)?.close());

  const urlOverNetwork = (): string => throughProxy(server().url, proxy, 'faults');

  const pass = (): void => proxy.pass();

  const FAULTS: Readonly<Record<string, Fault>> = {
    'the server is stopped': {
      recoveryMs: 5000,
      begin: async () => server().stop(),
      end: async () => server().start(),
    },
    'the server is paused': { recoveryMs: 5000, begin: async () => server().pause(), end: () => server().resume() },
    'the network cuts connections': { recoveryMs: DEADLINE_MS, begin: () => proxy.cut(), end: pass },
    // A connection that is being opened while the network swallows is given up a second after the deadline.
    'the network swallows bytes': { recoveryMs: DEADLINE_MS + 2000, begin: () => proxy.swallow(), end: pass },
  };

  for (const [what, { recoveryMs, begin, end }] of Object.entries(FAULTS)) {
    describe(`while ${what}`, () => {
      let catalogue: MongoPetCatalogue;

      const openDatabase = (): Db => {
        const url = what.startsWith('the network') ? urlOverNetwork() : server().url;
        return createClient(url, { deadlineMs: DEADLINE_MS }).db('faults');
      };

      before(async () => {
        catalogue = new MongoPetCatalogue(openDatabase(), { deadlineMs: DEADLINE_MS });
        await catalogue.init();
        await catalogue.add(REX);
      });

      it('rejects every call with store_unavailable within the deadline', async () => {
        await begin();
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
            expect(error, name).to.be.instanceOf(AnimalStoreError).with.property('code', 'store_unavailable');
            expect((error as Error).cause, name).to.be.instanceOf(Error);
          }),
        );
        await end();
      });

      it(`loses nothing that was acknowledged under load, and is back within ${recoveryMs / 1000} seconds of its end`, async () => {
        const { load, stored } = startCatalogueLoad(catalogue);
        await load.next('answered', 100);
        await begin();
        await load.next('unavailable', 16);
        await end();
        const ended = performance.now();
        await load.next('answered', 1);
        const recoveredMs = performance.now() - ended;
        await load.next('answered', 50);
        const { unexpected, slowestMs } = await load.end();

        expect(unexpected).to.deep.equal([]);
        expect(recoveredMs).to.be.lessThan(recoveryMs + SLACK_MS);
        expect(slowestMs).to.be.lessThan(DEADLINE_MS + SLACK_MS);
        expect(new Set(stored.map(({ id }) => id)).size).to.equal(stored.length);
        for (const pet of stored) expect(await catalogue.find(pet.id)).to.deep.equal(pet);
      });
    });
  }

  it('fails no creation if the server pauses for less than the deadline', async () => {
    const pausesMs = 3000;
    // Only the monitoring is as impatient as usual: a busy machine may take longer for the creations.
    const client = createClient(server().url, { waitQueueTimeoutMS: 30_000, serverSelectionTimeoutMS: 30_000 });
    const patient = new MongoPetCatalogue((await client.connect()).db('pause'), PATIENT);
    const addMany = () => Array.from({ length: 64 }, async () => patient.add(REX));
    await Promise.all(addMany());
    const creations = addMany();
    await server().pause();
    const paused = performance.now();
    await until(() => performance.now() - paused > pausesMs);
    server().resume();
    const pets = await Promise.all(creations);
    expect(new Set(pets.map(({ id }) => id)).size).to.equal(64);
  });

  it('keeps its deadline if the network is slower', async () => {
    const patient = createClient(urlOverNetwork(), { serverSelectionTimeoutMS: 30_000 });
    const hasty = new MongoPetCatalogue(patient.db(), { deadlineMs: 300 });
    proxy.delay(20_000);
    const start = performance.now();
    const error = await rejectionOf(hasty.find(1n));
    expect(performance.now() - start).to.be.lessThan(300 + SLACK_MS);
    expect(error).to.be.instanceOf(AnimalStoreError).with.property('code', 'store_unavailable');
  });
});
