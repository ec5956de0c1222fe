import { expect } from 'chai';
import { once } from 'node:events';
import { SERVER_DEFAULTS } from '../../src/bootstrap/settings.js';
import { startCommand, type RunningCommand } from '../support/command.js';
import { metricsAt } from '../support/metrics.js';
import { faultOfNamespaces, startInNamespace } from '../support/network-namespace.js';
import { requestBytes } from '../support/request.js';
import { skip } from '../support/skip.js';
import { makeTemporaryFolder } from '../support/temporary-folder.js';
import { deployFile, millisecondsOf } from './known-settings.js';
import { needs } from './needs.js';
import { KEY, NAME, PROXIES, RunningProxy } from './proxies.js';

for (const proxy of PROXIES) {
  const { program, file, versionArgs, idle } = proxy;
  describe(`${program} with deploy/${file}`, () => {
    let running: RunningProxy;
    let server: RunningCommand;
    let metricsUrl: string;

    before(async function () {
      needs(this, program, versionArgs);
      needs(this, 'openssl', ['version']);
      server = await startCommand(['--metrics-port', '0', '--trust-proxy', 'loopback'], { API_KEYS: `anna:${KEY}` });
      metricsUrl = await server.find(() => /^Metrics: (\S+)\n/m.exec(server.stdout)?.[1]);
      running = await RunningProxy.start(proxy, server.port, makeTemporaryFolder());
    });

    it('passes requests and answers on', async () => {
      expect(await running.ask('POST', '/v1/pets', {}, '{"name":"Rex","categoryId":7}')).to.include({ status: 201 });
      expect(await running.ask('GET', '/v1/pets?limit=5')).to.include({ status: 200 });
      const refused = await running.ask('GET', '/v1/pets', { authorization: 'none' });
      expect(refused).to.include({ status: 401, code: 'unauthorized' });
    });

    it("keeps the client's request id", async () => {
      const answer = await running.ask('GET', '/v1/pets', { 'X-Request-Id': 'abc-123' });
      expect(answer).to.include({ requestId: 'abc-123' });
    });

    for (const [what, headers] of [
      ['a client sends no address', {}],
      ['a client sends X-Forwarded-For', { 'X-Forwarded-For': '203.0.113.7' }],
      ['a client sends Forwarded', { Forwarded: 'for=203.0.113.7' }],
    ] as const) {
      it(`tells the server the address of the client, which the log has, if ${what}`, async () => {
        const { requestId } = await running.ask('GET', '/v1/pets?limit=1', headers, undefined, '127.0.0.9');
        const line = await server.find(() =>
          server.stderr.split('\n').find((each) => each.includes(`"requestId":"${String(requestId)}"`)),
        );
        expect(JSON.parse(line)).to.include({ clientAddress: '127.0.0.9' });
      });
    }

    for (const [what, headers] of [
      ['a client sends none', {}],
      ['the server would not accept that of the client', { 'X-Request-Id': 'a b' }],
    ] as const) {
      it(`makes a request id if ${what}`, async () => {
        expect((await running.ask('GET', '/v1/pets', headers)).requestId).to.match(/^[0-9a-f-]{32,36}$/);
      });
    }

    it('lets the server answer what is too large, in its own form', async () => {
      const body = `{"name":"${'x'.repeat(100_000)}","categoryId":7}`;
      const refused = await running.ask('POST', '/v1/pets', {}, body);
      expect(refused).to.include({ status: 413, code: 'body_too_large' });
    });

    it('forwards a request only when its body has arrived completely', async () => {
      const creation = requestBytes('POST', '/v1/pets', {
        key: KEY,
        host: NAME,
        body: '{"name":"Slow","categoryId":7}',
      });
      const slow = await running.sendUnread(creation.subarray(0, -1));
      expect(await running.ask('GET', '/v1/pets?limit=1')).to.include({ status: 200 });
      expect((await metricsAt(metricsUrl)).value('animal_store_http_requests_in_flight')).to.equal(0);
      slow.write(creation.subarray(-1));
      const [answer] = (await once(slow, 'data')) as [Buffer];
      expect(answer.toString()).to.match(/^HTTP\/1\.1 201 /);
    });

    it('closes idle connections before the server does', () => {
      expect(millisecondsOf(idle.exec(deployFile(file))?.[1] ?? '')).to.be.below(SERVER_DEFAULTS.keepAliveTimeout);
    });

    if (program === 'nginx') {
      it('reads whole answers immediately for clients that read nothing, so that none waits in the server', async function () {
        const fault = faultOfNamespaces();
        if (fault !== undefined) skip(this, `this machine gives no network namespace: ${fault}`);
        // As many clients as deploy/proxy/nginx.conf allows for two addresses, but for those that read.
        // All of them are more than may wait in the server.
        const args = [program, '180', makeTemporaryFolder()];
        const run = startInNamespace('test/deploy/unread-answers.ts', args);
        expect(await run.exited, run.stdout + run.stderr).to.deep.equal({ code: 0, signal: null });
        expect(JSON.parse(run.stdout)).to.deep.equal({ cut: 0, status: 200 });
      });
    }
  });
}
