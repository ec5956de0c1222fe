import { expect } from 'chai';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:http';
import type { HttpInterfaceOptions } from '../../../src/adapters/http/http-interface-options.js';
import { createHttpInterface } from '../../../src/adapters/http/http-interface.js';
import { createApp } from '../../../src/adapters/http/koa/create-app.js';
import { createListener } from '../../../src/adapters/http/node/listener.js';
import { createHttpServer } from '../../../src/adapters/http/server/http-server.js';
import { FAKE_TIMERS } from '../../support/fake-timers.js';
import { fetchInMemory, inMemory, KEY, REX } from '../../support/in-memory-interface.js';
import { listenOnFreePort } from '../../support/listen-on-free-port.js';
import { request } from '../../support/request.js';
import { getBytes, listen, open } from './server/serving.js';

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
    for (const [what, createHandler] of Object.entries(HANDLERS)) {
      it(`is answered by ${what}, on Node's own server and on ours`, async () => {
        const handler = createHandler(inMemory());
        const ports = [
          await listenOnFreePort(createServer(handler)),
          await listenOnFreePort(createHttpServer(handler)),
        ];
        installFakes();
        for (const port of ports) {
          expect((await request(port, 'POST', '/v1/pets', { key: KEY, body: REX })).status).to.equal(201);
        }
      });
    }

    it('is answered by the Fetch handler', async () => {
      const ask = fetchInMemory();
      installFakes();
      expect((await ask('/v1/pets', { body: REX })).status).to.equal(201);
    });

    it('is answered behind another request on its connection', async () => {
      const port = await listen(HANDLERS['the listener on Node']?.(inMemory()) as RequestListener);
      const connection = await open(port);
      installFakes();
      for (let i = 0; i < 3; i++) connection.send(getBytes('/livez'));
      for (let i = 0; i < 3; i++) expect((await connection.receive()).status).to.equal(200);
    });
  });
}
