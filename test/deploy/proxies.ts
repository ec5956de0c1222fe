import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { connect as connectTcp, createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { Child } from '../support/child.js';
import { endWithTest } from '../support/cleanup.js';
import { eventually } from '../support/eventually.js';
import { deployFile } from './known-settings.js';

/** A key that the server behind the proxy accepts. */
export const KEY = 'a-key-of-more-than-16';
/** The name that the certificate is for. */
export const NAME = 'animals.example';

/** How one kind of proxy is started, with its file as it is but for addresses and certificates. */
export interface Proxy {
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

/** The proxies for which `deploy` has a file. */
export const PROXIES: readonly Proxy[] = [
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

/** What a test sees of an answer. */
export interface ProxiedAnswer {
  readonly status: number | undefined;
  readonly requestId: unknown;
  readonly code: unknown;
}

/** A proxy that runs in front of a server, and is asked by TLS. */
export class RunningProxy {
  readonly #port: number;
  readonly #folder: string;

  private constructor(port: number, folder: string) {
    this.#port = port;
    this.#folder = folder;
  }

  /** Starts a proxy in front of a server on this port, and waits until it passes requests on. Writes into the folder. */
  static async start(proxy: Proxy, serverPort: number, folder: string): Promise<RunningProxy> {
    const { program, file, checkArgs, runArgs, wrap } = proxy;
    makeCertificate(folder);
    const port = await freePort();
    const config = join(folder, 'config');
    writeFileSync(config, wrap(adapted(deployFile(file), { folder, port, serverPort }), folder));
    execFileSync(program, checkArgs(config), { stdio: ['ignore', 'ignore', 'pipe'] });
    const child = Child.start(program, runArgs(config));
    const running = new RunningProxy(port, folder);
    await untilReady(child, async () => (await running.ask('GET', '/livez')).status === 200);
    return running;
  }

  /** Sends a request through the proxy, from this address if one is given. */
  async ask(
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body?: string,
    localAddress?: string,
  ): Promise<ProxiedAnswer> {
    const authorization = `Bearer ${KEY}`;
    const sent = request({
      ...this.#address(),
      method,
      path,
      agent: false,
      localAddress,
      headers: { Host: NAME, authorization, 'content-type': 'application/json', ...headers },
    });
    sent.end(body);
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    const { code } = JSON.parse(await text(answer)) as { code?: unknown };
    return { status: answer.statusCode, requestId: answer.headers['x-request-id'], code };
  }

  /** Opens a connection that sends this request, or a part of one, and reads nothing. */
  async sendUnread(request: Buffer, localAddress = '127.0.0.1'): Promise<TLSSocket> {
    const address = this.#address();
    const { host, port } = address;
    const socket = connect({ ...address, socket: connectTcp({ host, port, localAddress }) });
    await once(socket, 'secureConnect');
    // The proxy may cut it.
    socket.on('error', () => socket.destroy());
    endWithTest(() => socket.destroy());
    socket.write(request);
    return socket;
  }

  #address(): ConnectionOptions & { readonly host: string; readonly port: number } {
    const ca = readFileSync(join(this.#folder, 'cert.pem'));
    return { host: '127.0.0.1', port: this.#port, ca, servername: NAME };
  }
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

/** Resolves once a program is ready, which it is not while the question is answered by `false` or an error. Rejects if it ends. */
export async function untilReady(child: Child, isReady: () => Promise<boolean>): Promise<void> {
  let hasEnded = false;
  void child.exited.then(() => (hasEnded = true));
  await eventually(async () => {
    if (hasEnded) throw new Error(`the program ended:\n${child.stderr}`);
    return (await isReady().catch(() => false)) || undefined;
  });
}

/** A port that was free a moment ago. The proxies cannot tell which one they were given. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
