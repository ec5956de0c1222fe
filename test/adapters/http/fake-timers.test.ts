import { expect } from 'chai';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:http';
import { createHttpServer } from '../../../src/adapters/http/server/http-server.js';
import { FAKE_TIMERS } from '../../support/fake-timers.js';
import { fetchInMemory, inMemory, KEY, REX } from '../../support/in-memory-interface.js';
import { listenOnFreePort } from '../../support/listen-on-free-port.js';
import { request } from '../../support/request.js';
import { HANDLERS } from './handlers.js';
import { getBytes, listen, open } from './server/serving.js';

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
      for (let i = 0; i < 2; i++) connection.send(getBytes('/livez'));
      for (let i = 0; i < 2; i++) expect((await connection.receive()).status).to.equal(200);
    });
  });
}
