import { expect } from 'chai';
import { apiKeyManagerOf } from '../support/api-key-manager.js';
import type { RunningCommand } from '../support/command.js';
import { send } from '../support/request.js';
import { SLACK_MS } from '../support/slack.js';
import { until } from '../support/until.js';
import { DATABASE_SERVERS } from './databases.js';
import { startHttpLoad } from './http-load.js';
import { KEY, serveOn } from './serve-on.js';
import { storedIds } from './stored-ids.js';

const DEADLINE_MS = 5000;
/** A connection that is being opened while the network swallows is given up after 6 seconds. */
const RECOVERY_MS = 7000;
const CUTS = 20;

for (const { name, use } of DATABASE_SERVERS) {
  describe(`animal-store serve under load while its database fails, ${name}`, function () {
    this.timeout(180_000);
    const { createStore, open, faults, network } = use();
    let service: RunningCommand;
    let storedKey: string;

    const statusOf = async (path: string): Promise<number | undefined> =>
      (await send(new URL(path, service.url))).status;

    before(async function startAll() {
      this.timeout(180_000);
      const store = await createStore();
      const { registry } = await open(store);
      storedKey = (await apiKeyManagerOf(registry).issue({ name: 'ben' })).key;
      service = await serveOn(store);
    });

    after(async () => (service as RunningCommand | undefined)?.stop());

    for (const [what, { begin, end }] of Object.entries(faults)) {
      it(`answers nothing but success and 503 within the deadline, loses nothing, and is back soon, when ${what}`, async () => {
        const { load, created } = startHttpLoad(service, [KEY, storedKey]);
        await load.next('answered', 60);
        await begin();
        await load.next('unavailable', 12);
        expect(await until(async () => (await statusOf('/readyz')) === 503)).to.be.lessThan(RECOVERY_MS + SLACK_MS);
        expect(await statusOf('/livez')).to.equal(200);
        await end();
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
        network().cut();
        network().pass();
      }
      await load.next('answered', 30);
      const { unexpected, slowestMs } = await load.end();
      expect(unexpected).to.deep.equal([]);
      expect(slowestMs).to.be.lessThan(DEADLINE_MS + SLACK_MS);
    });

    it('answers late, and is ready, if the network is late', async () => {
      network().delay(200);
      const { status } = await send(`${service.url}/pets`, { key: storedKey, body: '{"name":"Rex","categoryId":7}' });
      expect(status).to.equal(201);
      await until(async () => (await statusOf('/readyz')) === 200);
    });

    it('logged no URL, no key and no internal error during all of this', async () => {
      await service.find(() => service.stderr.includes('the store did not answer in time') || undefined);
      expect(service.stderr).to.not.match(/mongodb:\/\/|postgres:\/\//);
      expect(service.stderr).to.not.include(KEY).and.not.to.include(storedKey);
      expect(service.stderr).to.not.match(/"level":(50|60)/);
    });
  });
}
