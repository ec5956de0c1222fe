import { expect } from 'chai';
import { MongoPetCatalogue } from '../../../src/adapters/mongodb/pets/mongo-pet-catalogue.js';
import { SLACK_MS } from '../../support/slack.js';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.js';
import { until } from '../../support/until.js';
import { throughProxy, usePrivateServer } from '../../support/use-mongodb.js';
import { startCatalogueLoad } from './pets/catalogue-load.js';

const DEADLINE_MS = 5000;
const LOSSES = 3;
const CLIENTS = 16;
/** How old the latest heartbeat is at a loss: older than the 500 ms after which the driver by default checks out of turn. */
const HEARTBEAT_AGE_MS = 600;

const WAYS: Readonly<Record<string, (proxy: TcpProxy) => void>> = {
  'ended (FIN)': (proxy) => proxy.hangUp(),
  'reset (RST)': (proxy) => {
    proxy.cut();
    proxy.pass();
  },
};

/**
 * If the driver (7.8.0) checks a server without a `topologyVersion` at once, it writes to a socket that has ended and is not
 * closed yet, and waits for ever. Then no operation finds the server again. With the driver's defaults, this happens at the
 * first or second loss. The URL of mongo-java-server has the option that prevents it, as operators are told to.
 */
describe('MongoPetCatalogue if all connections are lost together', function () {
  this.timeout(180_000);
  const { server, createClient } = usePrivateServer();

  for (const [how, lose] of Object.entries(WAYS)) {
    it(`creates animals again within two deadlines, each time that they are ${how}`, async () => {
      const proxy = await startTcpProxy(server().port);
      const client = createClient(throughProxy(server().url, proxy, 'lost'));
      let heartbeat = performance.now();
      client.on('serverHeartbeatSucceeded', () => (heartbeat = performance.now()));
      await client.connect();
      const catalogue = new MongoPetCatalogue(client.db());
      for (let loss = 0; loss < LOSSES; loss++) {
        const before = heartbeat;
        await until(() => heartbeat > before && performance.now() - heartbeat > HEARTBEAT_AGE_MS);
        const { load } = startCatalogueLoad(catalogue, CLIENTS);
        await load.next('answered', 60);
        lose(proxy);
        const lost = performance.now();
        // More than the calls that were under way and had their answers already.
        await load.next('answered', 2 * CLIENTS);
        expect(performance.now() - lost).to.be.lessThan(2 * DEADLINE_MS + SLACK_MS);
        expect((await load.end()).unexpected).to.deep.equal([]);
      }
    });
  }
});
