import { expect } from 'chai';
import type { RunningCommand } from '../support/command.js';
import type { ControllableServer } from '../support/mongodb-server.js';
import { send } from '../support/request.js';
import { SLACK_MS } from '../support/slack.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';
import { until } from '../support/until.js';
import { throughProxy, usePrivateServer } from '../support/use-mongodb.js';
import { startHttpLoad } from './http-load.js';
import { createKey, KEY, startService } from './mongodb-service.js';
import { storedIds } from './stored-ids.js';

const DEADLINE_MS = 5000;
/** A connection that is being opened while the network swallows is given up after 6 seconds. */
const RECOVERY_MS = 7000;
const CUTS = 20;

interface Fault {
  begin(server: ControllableServer, proxy: TcpProxy): unknown;
  end(server: ControllableServer, proxy: TcpProxy): unknown;
}

const FAULTS: Readonly<Record<string, Fault>> = {
  'the database is stopped': { begin: async (server) => server.stop(), end: async (server) => server.start() },
  'the database is paused': { begin: async (server) => server.pause(), end: (server) => server.resume() },
  'the network swallows': { begin: (_, proxy) => proxy.swallow(), end: (_, proxy) => proxy.pass() },
};

describe('animal-store serve under load while its database fails', function () {
  this.timeout(180_000);
  const { server, createClient } = usePrivateServer();
  let proxy: TcpProxy;
  let service: RunningCommand;
  let storedKey: string;
  let stopAll: (() => Promise<unknown>) | undefined;

  const statusOf = async (path: string): Promise<number | undefined> => (await send(new URL(path, service.url))).status;

  before(async function startAll() {
    this.timeout(180_000);
    proxy = await startTcpProxy(server().port);
    const url = throughProxy(server().url, proxy, 'zoo');
    storedKey = (await createKey(createClient().db('zoo'), { name: 'ben' })).key;
    service = await startService(url);
    stopAll = async () => Promise.all([service.stop(), proxy.close()]);
  });

  afterEach(() => (proxy as TcpProxy | undefined)?.pass());

  after(async () => {
    await stopAll?.();
  });

  for (const [what, { begin, end }] of Object.entries(FAULTS)) {
    it(`answers nothing but success and 503 within the deadline, and is back within 5 seconds, when ${what}`, async () => {
      const { load, created } = startHttpLoad(service, [KEY, storedKey]);
      await load.next('answered', 60);
      await begin(server(), proxy);
      await load.next('unavailable', 12);
      expect(await until(async () => (await statusOf('/readyz')) === 503)).to.be.lessThan(RECOVERY_MS + SLACK_MS);
      expect(await statusOf('/livez')).to.equal(200);
      await end(server(), proxy);
      const returned = performance.now();
      await load.next('answered', 1);
      const recoveryMs = performance.now() - returned;
      await until(async () => (await statusOf('/readyz')) === 200);
      const readyMs = performance.now() - returned;
      await load.next('answered', 30);
      const { unexpected, slowestMs } = await load.end();

      expect(unexpected).to.deep.equal([]);
      expect(recoveryMs).to.be.lessThan(RECOVERY_MS + SLACK_MS);
      expect(readyMs).to.be.lessThan(RECOVERY_MS + SLACK_MS);
      expect(slowestMs).to.be.lessThan(DEADLINE_MS + SLACK_MS);
      expect(new Set(created).size).to.equal(created.length);
      const stored = await storedIds(service, KEY);
      expect(new Set(stored).size).to.equal(stored.length);
      expect(stored).to.include.members(created);
    });
  }

  it('answers nothing but success and 503 when connections to the database are cut again and again', async () => {
    const { load } = startHttpLoad(service, [KEY, storedKey], 12);
    for (let i = 0; i < CUTS; i++) {
      await load.next('answered', 30);
      proxy.cut();
      proxy.pass();
    }
    await load.next('answered', 30);
    const { unexpected, slowestMs } = await load.end();
    expect(unexpected).to.deep.equal([]);
    expect(slowestMs).to.be.lessThan(DEADLINE_MS + SLACK_MS);
  });

  it('answers late, and is ready, if the network is late', async () => {
    proxy.delay(200);
    const { status } = await send(`${service.url}/pets`, { key: storedKey, body: '{"name":"Rex","categoryId":7}' });
    expect(status).to.equal(201);
    await until(async () => (await statusOf('/readyz')) === 200);
  });

  it('logged no URL, no key and no internal error during all of this', async () => {
    await service.find(() => service.stderr.includes('the store did not answer in time') || undefined);
    expect(service.stderr).to.not.include('mongodb://').and.not.to.include(KEY).and.not.to.include(storedKey);
    expect(service.stderr).to.not.match(/"level":(50|60)/);
  });
});
