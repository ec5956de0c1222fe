import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request as requestByTls, type RequestOptions } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { SERVER_DEFAULTS } from '../../src/bootstrap/settings/settings.js';
import { endWithTest } from '../support/cleanup.js';
import { startCommand, type RunningCommand } from '../support/command.js';
import { metricsAt } from '../support/metrics.js';
import { needs } from '../support/needs.js';
import { makeTemporaryFolder } from '../support/temporary-folder.js';
import { deployFile, millisecondsOf } from './known-settings.js';
import { freePort, startListening } from './listening-program.js';

const KEY = 'a-key-of-more-than-16';
const REX = '{"name":"Rex","categoryId":7}';

/** How one kind of proxy is run with its file, in which only addresses and certificates are replaced. */
interface Proxy {
  readonly program: string;
  readonly file: string;
  /** The arguments that show its version, and those that check and those that run a configuration. */
  readonly versionArgs: readonly string[];
  readonly checkArgs: (config: string) => readonly string[];
  readonly runArgs: (config: string) => readonly string[];
  /** What stands around the file. */
  readonly wrap: (config: string, folder: string) => string;
  /** The directive that says for how long idle connections to the server stay open. */
  readonly idle: RegExp;
}

const PROXIES: readonly Proxy[] = [
  {
    program: 'nginx',
    file: 'proxy/nginx.conf',
    versionArgs: ['-v'],
    checkArgs: (config) => ['-t', '-q', '-e', 'stderr', '-c', config],
    runArgs: (config) => ['-e', 'stderr', '-c', config],
    wrap: (config, folder) => `
      user root root; daemon off; master_process off; pid ${folder}/pid; error_log stderr; events {}
      http {
        access_log off;
        client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/fastcgi;
        uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
        ${config}
      }`,
    idle: /keepalive_timeout (\d+s);/,
  },
  {
    program: 'haproxy',
    file: 'proxy/haproxy.cfg',
    versionArgs: ['-v'],
    checkArgs: (config) => ['-c', '-q', '-f', config],
    runArgs: (config) => ['-db', '-f', config],
    wrap: (config) => config,
    idle: /pool-purge-delay (\d+s)/,
  },
];

/** Starts a proxy in front of a server, and resolves to its port once it passes requests on. */
async function startProxy({ program, file, checkArgs, runArgs, wrap }: Proxy, serverPort: number): Promise<number> {
  const folder = makeTemporaryFolder();
  const port = await freePort();
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const args = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'];
  const files = ['-subj', '/CN=animals.example', '-keyout', key, '-out', certificate];
  execFileSync('openssl', [...args, ...files], { stdio: 'ignore' });
  // HAProxy reads both from one file.
  writeFileSync(certificate, readFileSync(key), { flag: 'a' });

  const config = deployFile(file)
    .replace(/(listen |bind ):?443 /, `$1127.0.0.1:${port} `)
    .replace(/127\.0\.0\.1:3000/, `127.0.0.1:${serverPort}`)
    .replaceAll(/\/etc\/(?:ssl\/certs|ssl\/private|haproxy\/certs)\/animals\.example\.(?:pem|key)/g, certificate);
  const adapted = join(folder, 'config');
  writeFileSync(adapted, wrap(config, folder));
  execFileSync(program, checkArgs(adapted), { stdio: ['ignore', 'ignore', 'pipe'] });
  await startListening(program, runArgs(adapted), async () => (await send(port, '/livez')).status === 200);
  return port;
}

/** Begins a request by TLS. It ends with the test. */
function begin(port: number, path: string, options: RequestOptions = {}) {
  const headers = { Host: 'animals.example', Authorization: `Bearer ${KEY}`, 'Content-Type': 'application/json' };
  const request = requestByTls({
    ...{ host: '127.0.0.1', port, path, agent: false, rejectUnauthorized: false },
    ...options,
    headers: { ...headers, ...(options.headers as Record<string, string> | undefined) },
  });
  endWithTest(() => request.destroy());
  return request;
}

/** Sends a request by TLS: a POST if there is a body, otherwise a GET. */
async function send(port: number, path: string, options: RequestOptions = {}, body?: string) {
  const request = begin(port, path, { method: body === undefined ? 'GET' : 'POST', ...options });
  request.end(body);
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  const { code } = JSON.parse(await text(answer)) as { code?: unknown };
  return { status: answer.statusCode, requestId: String(answer.headers['x-request-id']), code };
}

for (const proxy of PROXIES) {
  const { program, file, versionArgs, idle } = proxy;
  describe(`${program} with deploy/${file}`, () => {
    let port: number;
    let server: RunningCommand;

    before(async function () {
      needs(this, program, versionArgs);
      needs(this, 'openssl', ['version']);
      server = await startCommand(['--metrics-port', '0', '--trust-proxy', 'loopback'], { API_KEYS: `anna:${KEY}` });
      port = await startProxy(proxy, server.port);
    });

    it('passes requests and answers on', async () => {
      expect(await send(port, '/v1/pets', {}, REX)).to.include({ status: 201 });
      expect(await send(port, '/v1/pets?limit=5')).to.include({ status: 200 });
      const refused = await send(port, '/v1/pets', { headers: { Authorization: 'none' } });
      expect(refused).to.include({ status: 401, code: 'unauthorized' });
    });

    it('tells the server the address of the client, which the log has, whatever the client says', async () => {
      for (const headers of [{}, { 'X-Forwarded-For': '203.0.113.7' }]) {
        const { requestId } = await send(port, '/v1/pets?limit=1', { headers, localAddress: '127.0.0.9' });
        const line = await server.find(() =>
          server.stderr.split('\n').find((each) => each.includes(`"requestId":"${requestId}"`)),
        );
        expect(JSON.parse(line)).to.include({ clientAddress: '127.0.0.9' });
      }
    });

    it("keeps the client's request id, and makes one if the server would not accept that", async () => {
      const idFor = async (sent: string) =>
        (await send(port, '/livez', { headers: { 'X-Request-Id': sent } })).requestId;
      expect(await idFor('abc-123')).to.equal('abc-123');
      expect(await idFor('a b')).to.match(/^[0-9a-f-]{32,36}$/);
    });

    it('lets the server answer what is too large, in its own form', async () => {
      const body = `{"name":"${'x'.repeat(100_000)}","categoryId":7}`;
      expect(await send(port, '/v1/pets', {}, body)).to.include({ status: 413, code: 'body_too_large' });
    });

    it('forwards a request only when its body has arrived completely', async () => {
      const slow = begin(port, '/v1/pets', { method: 'POST', headers: { 'Content-Length': `${REX.length}` } });
      await new Promise((resolve) => slow.write(REX.slice(0, -1), resolve));
      expect(await send(port, '/v1/pets?limit=1')).to.include({ status: 200 });
      const url = await server.find(() => /^Metrics: (\S+)\n/m.exec(server.stdout)?.[1]);
      expect((await metricsAt(url)).value('animal_store_http_requests_in_flight')).to.equal(0);
      slow.end(REX.slice(-1));
      const [answer] = (await once(slow, 'response')) as [IncomingMessage];
      expect(answer.statusCode).to.equal(201);
    });

    it('closes idle connections before the server does', () => {
      expect(millisecondsOf(idle.exec(deployFile(file))?.[1] ?? '')).to.be.below(SERVER_DEFAULTS.keepAliveTimeout);
    });
  });
}
