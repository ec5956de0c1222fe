import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { createFetchHandler } from '../../../src/adapters/http/fetch/create-fetch-handler.js';
import type { HttpInterfaceOptions } from '../../../src/adapters/http/http-interface-options.js';
import { createHttpInterface } from '../../../src/adapters/http/http-interface.js';
import { createListener } from '../../../src/adapters/http/node/listener.js';
import type { AnsweredRequest } from '../../../src/adapters/http/run-handler.js';
import { InMemoryPetCatalogue } from '../../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import type { CallOptions } from '../../../src/domain/call-options.js';
import { inMemory, KEY, requestTo } from '../../support/in-memory-interface.js';
import { listenOnFreePort } from '../../support/listen-on-free-port.js';
import { HANDLERS } from './handlers.js';
import { getBytes, listen } from './server/serving.js';

/** A call of the catalogue that never ends unless its signal is aborted. */
async function endlessly(options: CallOptions | undefined, begun: () => void): Promise<never> {
  return new Promise((_resolve, reject) => {
    options?.signal?.addEventListener('abort', () => reject(options.signal?.reason as Error));
    begun();
  });
}

/** A catalogue whose reads never end, and the options of an interface on it. */
class Endless {
  readonly answered: Promise<AnsweredRequest>;
  readonly begun: Promise<void>;
  readonly options: HttpInterfaceOptions;

  constructor() {
    let begin = (): void => undefined;
    this.begun = new Promise((resolve) => (begin = resolve));
    let answer = (_answered: AnsweredRequest): void => undefined;
    this.answered = new Promise((resolve) => (answer = resolve));
    const reads = {
      list: async (_query: unknown, options?: CallOptions) => endlessly(options, begin),
      find: async (_id: bigint, options?: CallOptions) => endlessly(options, begin),
    };
    this.options = inMemory({ catalogue: Object.assign(new InMemoryPetCatalogue(), reads), onAnswered: answer });
  }
}

describe('a client that leaves before its answer', () => {
  for (const [transport, createHandler] of Object.entries(HANDLERS)) {
    for (const path of ['/v1/pets', '/v1/pets/1']) {
      it(`cancels GET ${path} by ${transport}, which counts with status 499`, async () => {
        const endless = new Endless();
        const port = await listenOnFreePort(createServer(createHandler(endless.options)));
        const client = connect(port, '127.0.0.1');
        client.write(getBytes(path, `Authorization: Bearer ${KEY}`));
        await endless.begun;
        client.destroy();
        expect(await endless.answered).to.include({ status: 499, code: undefined, keyName: 'me' });
      });
    }
  }

  for (const [how, leave] of Object.entries({
    'resets its connection': (client: Socket) => client.resetAndDestroy(),
    'ends its side': (client: Socket) => client.end(),
  })) {
    it(`cancels its read on the server of the command if it ${how}`, async () => {
      const endless = new Endless();
      const client = connect(await listen(createListener(createHttpInterface(endless.options))), '127.0.0.1');
      client.write(getBytes('/v1/pets', `Authorization: Bearer ${KEY}`));
      await endless.begun;
      leave(client);
      expect(await endless.answered).to.include({ status: 499 });
    });
  }

  it('cancels its read over fetch', async () => {
    const endless = new Endless();
    const controller = new AbortController();
    const request = requestTo('/v1/pets', { signal: controller.signal });
    const answering = createFetchHandler(endless.options)(request);
    await endless.begun;
    controller.abort();
    expect((await answering).status).to.equal(499);
    expect((await endless.answered).status).to.equal(499);
  });
});
