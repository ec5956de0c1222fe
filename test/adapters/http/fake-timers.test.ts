import { expect } from 'chai';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:http';
import { createFetchHandler } from '../../../src/adapters/http/fetch/create-fetch-handler.js';
import type { HttpInterfaceOptions } from '../../../src/adapters/http/http-interface-options.js';
import { createHttpInterface } from '../../../src/adapters/http/http-interface.js';
import { createApp } from '../../../src/adapters/http/koa/create-app.js';
import { createListener } from '../../../src/adapters/http/node/listener.js';
import { createHttpServer } from '../../../src/adapters/http/server/http-server.js';
import { InMemoryApiKeys } from '../../../src/adapters/in-memory/in-memory-api-keys.js';
import { InMemoryPetCatalogue } from '../../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { createAnimalStore } from '../../../src/application/animal-store.js';
import { FAKE_TIMERS } from '../../support/fake-timers.js';
import { listenOnFreePort } from '../../support/listen-on-free-port.js';
import { request } from '../../support/request.js';
import { getBytes, listen, open } from './server/serving.js';

const KEY = 'a-key-of-sixteen.';
const BODY = '{"name":"Rex","categoryId":7}';

const HANDLERS: Readonly<Record<string, (options: HttpInterfaceOptions) => RequestListener>> = {
  'the listener on Node': (options) => createListener(createHttpInterface(options)),
  'the Koa application': (options) => createApp(options).callback(),
  'the Koa application with additional middleware': (options) =>
    createApp(options)
      .use(async (_ctx, next) => next())
      .callback(),
};

for (const [name, installFakes] of Object.entries(FAKE_TIMERS)) {
  describe(`a creation under ${name}`, () => {
    const createOptions = (): HttpInterfaceOptions => ({
      store: createAnimalStore({ catalogue: new InMemoryPetCatalogue() }),
      apiKeys: new InMemoryApiKeys([{ name: 'me', key: KEY }]),
    });

    for (const [what, createHandler] of Object.entries(HANDLERS)) {
      it(`is answered by ${what}, on Node's own server and on ours`, async () => {
        const handler = createHandler(createOptions());
        const ports = [
          await listenOnFreePort(createServer(handler)),
          await listenOnFreePort(createHttpServer(handler)),
        ];
        installFakes();
        for (const port of ports) {
          expect((await request(port, 'POST', '/v1/pets', { key: KEY, body: BODY })).status).to.equal(201);
        }
      });
    }

    it('is answered by the Fetch handler', async () => {
      const handler = createFetchHandler(createOptions());
      installFakes();
      const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
      const init = { method: 'POST', headers, body: BODY };
      expect((await handler(new Request('http://127.0.0.1/v1/pets', init))).status).to.equal(201);
    });

    it('is answered behind another request on its connection', async () => {
      const port = await listen(HANDLERS['the listener on Node']?.(createOptions()) as RequestListener);
      const connection = await open(port);
      installFakes();
      for (let i = 0; i < 3; i++) connection.send(getBytes('/livez'));
      for (let i = 0; i < 3; i++) expect((await connection.receive()).status).to.equal(200);
    });
  });
}
