import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Child } from '../support/child.js';
import { startCommand } from '../support/command.js';
import { eventually } from '../support/eventually.js';
import { makeTemporaryFolder } from '../support/temporary-folder.js';
import { deployFile, millisecondsOf } from './known-settings.js';
import { needs } from './needs.js';

const KEY = 'a-key-of-more-than-16';
const NAME = 'animals.example';

/** How one kind of proxy is started, with its file as it is but for addresses and certificates. */
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
      daemon off; master_process off; pid ${folder}/pid; error_log stderr; events {}
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

interface ProxiedAnswer {
  readonly status: number | undefined;
  readonly requestId: unknown;
  readonly code: unknown;
}

for (const { program, file, versionArgs, checkArgs, runArgs, wrap, idle } of PROXIES) {
  describe(`${program} with deploy/${file}`, () => {
    let folder: string;
    let config: string;
    let port: number;

    before(async function () {
      needs(this, program, versionArgs);
      needs(this, 'openssl', ['version']);
      folder = makeTemporaryFolder();
      makeCertificate(folder);
      const server = await startCommand([], { API_KEYS: `anna:${KEY}` });
      port = await freePort();
      config = join(folder, 'config');
      writeFileSync(config, wrap(adapted(deployFile(file), { folder, port, serverPort: server.port }), folder));
      execFileSync(program, checkArgs(config), { stdio: ['ignore', 'ignore', 'pipe'] });
      const proxy = Child.start(program, runArgs(config));
      let hasEnded = false;
      void proxy.exited.then(() => (hasEnded = true));
      await eventually(async () => {
        if (hasEnded) throw new Error(`${program} ended:\n${proxy.stderr}`);
        return (await ask('GET', '/livez').catch(() => undefined))?.status === 200 ? true : undefined;
      });
    });

    /** Sends a request through the proxy, by TLS. */
    async function ask(
      method: string,
      path: string,
      headers: Record<string, string> = {},
      body?: string,
    ): Promise<ProxiedAnswer> {
      const ca = readFileSync(join(folder, 'cert.pem'));
      const authorization = `Bearer ${KEY}`;
      const options = { host: '127.0.0.1', port, ca, servername: NAME, method, path, agent: false };
      const sent = request({
        ...options,
        headers: { Host: NAME, authorization, 'content-type': 'application/json', ...headers },
      });
      sent.end(body);
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      const { code } = JSON.parse(await text(answer)) as { code?: unknown };
      return { status: answer.statusCode, requestId: answer.headers['x-request-id'], code };
    }

    it('passes requests and answers on', async () => {
      expect(await ask('POST', '/v1/pets', {}, '{"name":"Rex","categoryId":7}')).to.include({ status: 201 });
      expect(await ask('GET', '/v1/pets?limit=5')).to.include({ status: 200 });
      expect(await ask('GET', '/v1/pets', { authorization: 'none' })).to.include({ status: 401, code: 'unauthorized' });
    });

    it("keeps the client's request id", async () => {
      expect(await ask('GET', '/v1/pets', { 'X-Request-Id': 'abc-123' })).to.include({ requestId: 'abc-123' });
    });

    for (const [what, headers] of [
      ['a client sends none', {}],
      ['the server would not accept that of the client', { 'X-Request-Id': 'a b' }],
    ] as const) {
      it(`makes a request id if ${what}`, async () => {
        expect((await ask('GET', '/v1/pets', headers)).requestId).to.match(/^[0-9a-f-]{32,36}$/);
      });
    }

    it('lets the server answer what is too large, in its own form', async () => {
      const body = `{"name":"${'x'.repeat(100_000)}","categoryId":7}`;
      expect(await ask('POST', '/v1/pets', {}, body)).to.include({ status: 413, code: 'body_too_large' });
    });

    it('closes idle connections before the server does', () => {
      const source = readFileSync('src/adapters/http/server/http-server.ts', 'utf8');
      const keepAliveTimeout = Number(/keepAliveTimeout = ([\d_]+)/.exec(source)?.[1]?.replaceAll('_', ''));
      expect(millisecondsOf(idle.exec(deployFile(file))?.[1] ?? '')).to.be.below(keepAliveTimeout);
    });
  });
}

/** The file of a proxy, with the addresses and the certificate of a test. Throws if something is not there to be replaced. */
function adapted(
  config: string,
  { folder, port, serverPort }: { readonly folder: string; readonly port: number; readonly serverPort: number },
): string {
  const replacements = [
    [/(listen |bind ):?443 /, `$1127.0.0.1:${port} `],
    [/127\.0\.0\.1:3000/, `127.0.0.1:${serverPort}`],
    [/\/etc\/(?:ssl\/certs|haproxy\/certs)\/animals\.example\.pem/, join(folder, 'cert.pem')],
  ] as const;
  let result = config.replace('/etc/ssl/private/animals.example.key', join(folder, 'cert.pem'));
  for (const [pattern, by] of replacements) {
    if (!pattern.test(result)) throw new Error(`the configuration has nothing like ${pattern.source}`);
    result = result.replace(pattern, by);
  }
  return result;
}

/** Makes a certificate and its key, both in `cert.pem`. */
function makeCertificate(folder: string): void {
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = ['-subj', `/CN=${NAME}`, '-addext', `subjectAltName=DNS:${NAME}`];
  const args = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'];
  execFileSync('openssl', [...args, ...subject, '-keyout', key, '-out', certificate], { stdio: 'ignore' });
  writeFileSync(certificate, readFileSync(key), { flag: 'a' });
}

/** A port that was free a moment ago. The proxies cannot tell which one they were given. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
