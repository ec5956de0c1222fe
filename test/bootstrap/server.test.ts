import { expect } from 'chai';
import { ContainerModule } from 'inversify';
import { createServer } from 'node:net';
import { pino } from 'pino';
import { TOKENS, type RunningServer } from '../../src/bootstrap/index.js';
import { isListening, OTHER_LOOPBACK } from '../support/is-listening.js';
import { listenOnFreePort } from '../support/listen-on-free-port.js';
import { RawConnection } from '../support/raw-connection.js';
import { requestBytes } from '../support/request.js';
import { outputOfBootstrap } from '../support/run-script.js';
import { skip } from '../support/skip.js';
import { useMongodb } from '../support/use-mongodb.js';
import { start } from './in-process.js';

/**
 * What a program prints that has `startServer` at hand, and `config` of the store. It has to end by itself: nothing that
 * the server opened may keep it alive.
 */
async function outputOf(config: object, program: string): Promise<string> {
  const script = (url: string): string => `
    import { startServer } from '${url}';
    const config = ${JSON.stringify({ host: '127.0.0.1', port: 0, logLevel: 'silent', ...config })};
    ${program}`;
  return outputOfBootstrap('server', script);
}

const CLOSED_TWICE = `
  const server = await startServer(config);
  const { status } = await fetch(server.origin + '/readyz');
  const closings = [server.close(), server.close()];
  await Promise.all(closings);
  console.log(status, closings[0] === closings[1]);`;

const FAILED = `
  await startServer(config).catch(({ cause }) => console.log(cause.code));`;

/** What a host passes on that has no value. */
const UNDEFINED = { host: undefined, apiKeys: undefined, trustProxy: undefined, shutdownTimeout: undefined };

describe('startServer', () => {
  const mongodb = useMongodb();
  const stores = (): object[] => [
    { store: 'memory', metricsPort: 0 },
    {
      store: 'mongodb',
      mongodbUrl: mongodb.createDatabaseUrl(),
      apiKeys: [{ name: 'anna', key: 'a-key-of-more-than-16' }],
    },
  ];

  it('leaves nothing open after close, however often close is called', async () => {
    for (const store of stores()) expect(await outputOf(store, CLOSED_TWICE)).to.equal('200 true\n');
  });

  it('keeps an idle connection for as long as keepAliveTimeout says', async () => {
    const server = await start({ keepAliveTimeout: 620_000 });
    const { headers } = await fetch(`${server.origin}/livez`);
    expect(headers.get('Keep-Alive')).to.match(/^timeout=(?:619|620)$/);
  });

  it('lets the pages of corsOrigins read its responses', async () => {
    const shop = 'https://shop.example';
    const { origin } = await start({ corsOrigins: [shop] });
    const allowed = async (Origin: string): Promise<string | null> =>
      (await fetch(`${origin}/v1/pets`, { headers: { Origin } })).headers.get('Access-Control-Allow-Origin');
    expect([await allowed(shop), await allowed('https://other.example')]).to.deep.equal([shop, null]);
  });

  it('takes its defaults for what is undefined', async () => {
    const server = await start({ ...UNDEFINED, modules: undefined });
    expect(server.origin).to.match(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(server.apiKey).to.be.a('string');
  });

  it('leaves nothing open if it cannot listen', async () => {
    const port = await listenOnFreePort(createServer());
    for (const store of stores()) expect(await outputOf({ ...store, port }, FAILED)).to.equal('EADDRINUSE\n');
  });

  it('listens on its host alone, with the metrics too', async function () {
    if (process.platform !== 'linux') skip(this, 'only on Linux is all of 127.0.0.0/8 an address of the machine');
    const { origin, metricsUrl = '' } = await start({ metricsPort: 0 });
    for (const url of [origin, metricsUrl]) {
      const port = Number(new URL(url).port);
      expect(await isListening(port), url).to.equal(true);
      expect(await isListening(port, OTHER_LOOPBACK), url).to.equal(false);
    }
  });

  it('warns of the settings of other stores if they are given', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line) => lines.push(line) });
    await start({ mongodbUrl: 'mongodb://127.0.0.1:1/zoo', sqliteFile: 'zoo.db', mongodbDeadline: undefined }, log);
    expect(lines.map((line) => (JSON.parse(line) as { readonly msg: string }).msg)).to.deep.equal([
      '--sqlite-file (SQLITE_FILE) is not used, because the store is memory: see --store',
      'MONGODB_URL is not used, because the store is memory: see --store',
    ]);
  });

  it('has the calls of the store measured by the meter that a module binds', async () => {
    const measured: string[] = [];
    const meter = new ContainerModule(({ bind }) => {
      bind(TOKENS.storeMeter).toConstantValue({
        measureCatalogue(catalogue) {
          measured.push('catalogue');
          return catalogue;
        },
        measureApiKeys: (apiKeys) => apiKeys,
      });
    });
    await start({ metricsPort: 0, modules: [meter] });
    expect(measured).to.deep.equal(['catalogue']);
  });

  it('gives idle connections half of a short time-out of the shutdown as their grace', async () => {
    const closed: string[] = [];
    const endings: Promise<void>[] = [];
    const servers: RunningServer[] = [];
    for (const [name, shutdownTimeout] of Object.entries({ long: 600_000, short: 1000 })) {
      const server = await start({ shutdownTimeout, keepAliveTimeout: 620_000 });
      const connection = await RawConnection.open(Number(new URL(server.origin).port));
      await connection.ask(requestBytes('GET', '/livez'));
      endings.push(connection.closed.then(() => void closed.push(name)));
      servers.push(server);
    }
    await Promise.all([...endings, ...servers.map(async (server) => server.close())]);
    expect(closed).to.deep.equal(['short', 'long']);
  });
});
