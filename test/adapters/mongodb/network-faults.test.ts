import { expect } from 'chai';
import { MongoPetCatalogue } from '../../../src/adapters/mongodb/pets/mongo-pet-catalogue.js';
import { AnimalStoreError } from '../../../src/domain/errors.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { SLACK_MS } from '../../support/slack.js';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.js';
import { throughProxy, usePrivateServer } from '../../support/use-mongodb.js';
import { startCatalogueLoad } from './pets/catalogue-load.js';

const DEADLINE_MS = 2000;
/** A connection that is being opened while the network swallows is given up a second after the deadline. */
const RECOVERY_MS = { cut: DEADLINE_MS, swallow: DEADLINE_MS + 2000 };

describe('MongoPetCatalogue over a network that fails', function () {
  this.timeout(180_000);
  const { server, createClient } = usePrivateServer();
  let proxy: TcpProxy;
  let catalogue: MongoPetCatalogue;

  before(async () => {
    proxy = await startTcpProxy(server().port);
    const client = createClient(throughProxy(server().url, proxy, 'faults'), { deadlineMs: DEADLINE_MS });
    catalogue = new MongoPetCatalogue(client.db(), { deadlineMs: DEADLINE_MS });
    await catalogue.init();
  });

  afterEach(() => (proxy as TcpProxy | undefined)?.pass());

  after(async () => (proxy as TcpProxy | undefined)?.close());

  for (const fault of ['cut', 'swallow'] as const) {
    it(`rejects with nothing but store_unavailable while the network is to ${fault}, and is back within ${RECOVERY_MS[fault] / 1000} seconds`, async () => {
      const { load, stored } = startCatalogueLoad(catalogue);
      await load.next('answered', 100);
      proxy[fault]();
      await load.next('unavailable', 16);
      proxy.pass();
      const passed = performance.now();
      await load.next('answered', 1);
      const recoveryMs = performance.now() - passed;
      await load.next('answered', 50);
      const { unexpected, slowestMs } = await load.end();

      expect(unexpected).to.deep.equal([]);
      expect(recoveryMs).to.be.lessThan(RECOVERY_MS[fault] + SLACK_MS);
      expect(slowestMs).to.be.lessThan(DEADLINE_MS + SLACK_MS);
      for (const pet of stored) expect(await catalogue.find(pet.id)).to.deep.equal(pet);
    });
  }

  it('keeps its deadline if the network is slower than that', async () => {
    const patient = createClient(throughProxy(server().url, proxy, 'faults'), { serverSelectionTimeoutMS: 30_000 });
    const hasty = new MongoPetCatalogue(patient.db(), { deadlineMs: 300 });
    proxy.delay(20_000);
    const start = performance.now();
    const error = await rejectionOf(hasty.find(1n));
    expect(performance.now() - start).to.be.lessThan(300 + SLACK_MS);
    expect(error).to.be.instanceOf(AnimalStoreError).with.property('code', 'store_unavailable');
  });
});
