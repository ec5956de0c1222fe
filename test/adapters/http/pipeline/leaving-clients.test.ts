import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { createHttpInterface } from '../../../../src/adapters/http/http-interface.js';
import type { HttpInterfaceOptions } from '../../../../src/adapters/http/http-interface-options.js';
import { createListener } from '../../../../src/adapters/http/node/listener.js';
import type { ResponseLog } from '../../../../src/adapters/http/pipeline/response-log.js';
import { fetchInMemory, inMemory, KEY, SILENT } from '../../../support/in-memory-interface.js';
import { listenOnFreePort } from '../../../support/listen-on-free-port.js';
import { until } from '../../../support/until.js';
import { HANDLERS } from '../handlers.js';
import { HeldCatalogue } from '../held-catalogue.js';
import { getBytes, listen } from '../server/serving.js';

const bytesOf = (path: string): string => getBytes(path, `Authorization: Bearer ${KEY}`);

describe('a client that leaves before its response', () => {
  let catalogue: HeldCatalogue;
  let answered: ResponseLog[];
  let options: HttpInterfaceOptions;

  beforeEach(() => {
    catalogue = new HeldCatalogue();
    answered = [];
    // The limit stands between the interface and the store, and must pass the signal on.
    options = inMemory({ catalogue, maxInFlight: 9, onResponse: (each) => answered.push(each) });
  });

  /** Sends a GET, and leaves once the read has begun: then it is cancelled, and counts with status 499. */
  async function expectCancelled(port: number, path: string, leave: (client: Socket) => unknown): Promise<void> {
    const client = connect(port, '127.0.0.1');
    client.write(bytesOf(path));
    await until(() => catalogue.calls === 1);
    leave(client);
    await until(() => answered.length === 1);
    expect(answered[0]).to.include({ status: 499, code: undefined, keyName: 'me' });
  }

  for (const [transport, createHandler] of Object.entries(HANDLERS)) {
    for (const path of ['/v1/pets', '/v1/pets/1']) {
      it(`cancels GET ${path} by ${transport}`, async () => {
        const port = await listenOnFreePort(createServer(createHandler(options)));
        await expectCancelled(port, path, (client) => client.destroy());
      });
    }
  }

  for (const leave of ['resetAndDestroy', 'end'] as const) {
    it(`cancels its read on the server of the command, by ${leave}`, async () => {
      const port = await listen(createListener(createHttpInterface(options)));
      await expectCancelled(port, '/v1/pets', (client) => client[leave]());
    });
  }

  it('cancels its read over fetch', async () => {
    const controller = new AbortController();
    const answering = fetchInMemory(options)('/v1/pets', { signal: controller.signal });
    await until(() => catalogue.calls === 1);
    controller.abort();
    expect([(await answering).status, answered[0]?.status]).to.deep.equal([499, 499]);
  });

  it('has its read cancelled if it leaves while its key is looked up', async () => {
    const server = createServer();
    const client = connect(await listenOnFreePort(server), '127.0.0.1');
    const [socket] = (await once(server, 'connection')) as [Socket];
    const verify = async (): Promise<{ readonly name: string }> => {
      client.destroy();
      await once(socket, 'close');
      return { name: 'me' };
    };
    server.on('request', createListener(createHttpInterface({ ...options, apiKeys: { verify } })));
    client.write(bytesOf('/v1/pets'));
    await until(() => answered.length === 1);
    expect(answered[0]).to.include({ status: 499, keyName: 'me' });
  });

  it('does not hide an error of the store', async () => {
    const controller = new AbortController();
    const err = new Error('the disk is broken');
    const logged: { readonly err?: unknown }[] = [];
    const log = { ...SILENT, error: (fields: object) => logged.push(fields) };
    const listPets = async (): Promise<never> => {
      controller.abort();
      throw err;
    };
    const ask = fetchInMemory({ ...options, log, store: { ...options.store, listPets } });
    expect((await ask('/v1/pets', { signal: controller.signal })).status).to.equal(500);
    expect(logged.map((fields) => fields.err)).to.deep.equal([err]);
  });
});
