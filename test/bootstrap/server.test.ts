import { expect } from 'chai';
import { createServer } from 'node:net';
import { listenOnFreePort } from '../support/listen-on-free-port.js';
import { outputOfScript } from '../support/run-script.js';
import { useMongodb } from '../support/use-mongodb.js';

const MODULE = new URL('../../src/bootstrap/server.ts', import.meta.url).href;

/**
 * What a program prints that has `startServer` at hand, and `config` of the store. It has to end by itself: nothing that
 * the server opened may keep it alive.
 */
async function outputOf(config: object, program: string): Promise<string> {
  return outputOfScript(`
    import { startServer } from '${MODULE}';
    const config = ${JSON.stringify({ host: '127.0.0.1', port: 0, logLevel: 'silent', ...config })};
    ${program}`);
}

const CLOSED_TWICE = `
  const server = await startServer(config);
  const { status } = await fetch(server.origin + '/readyz');
  const closings = [server.close(), server.close()];
  await Promise.all(closings);
  console.log(status, closings[0] === closings[1]);`;

const FAILED = `
  await startServer(config).catch(({ code }) => console.log(code));`;

describe('startServer', () => {
  const mongodb = useMongodb();
  const stores = (): object[] => [
    { store: 'memory' },
    {
      store: 'mongodb',
      mongodbUrl: mongodb.createDatabaseUrl(),
      apiKeys: [{ name: 'anna', key: 'a-key-of-more-than-16' }],
    },
  ];

  it('leaves nothing open after close, however often close is called', async () => {
    for (const store of stores()) expect(await outputOf(store, CLOSED_TWICE)).to.equal('200 true\n');
  });

  it('leaves nothing open if it cannot listen', async () => {
    const port = await listenOnFreePort(createServer());
    for (const store of stores()) expect(await outputOf({ ...store, port }, FAILED)).to.equal('EADDRINUSE\n');
  });
});
