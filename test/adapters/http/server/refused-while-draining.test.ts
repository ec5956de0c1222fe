import { expect } from 'chai';
import Koa from 'koa';
import mount from 'koa-mount';
import type { HttpInterfaceOptions } from '../../../../src/adapters/http/http-interface-options.js';
import { createHttpInterface } from '../../../../src/adapters/http/http-interface.js';
import { createApp } from '../../../../src/adapters/http/koa/create-app.js';
import { createListener } from '../../../../src/adapters/http/node/listener.js';
import { createHttpServer, type RequestHandler } from '../../../../src/adapters/http/server/http-server.js';
import { inMemory, KEY } from '../../../support/in-memory-interface.js';
import { listenOnFreePort } from '../../../support/listen-on-free-port.js';
import type { RawConnection } from '../../../support/raw-connection.js';
import { drip, open } from './serving.js';

const ADAPTERS: Readonly<Record<string, (options: HttpInterfaceOptions) => RequestHandler>> = {
  'the listener': (options) => createListener(createHttpInterface(options)),
  'the Koa application': (options) => createApp(options).callback(),
  'the Koa application mounted in another one': (options) => new Koa().use(mount('/', createApp(options))).callback(),
};

/** The path, the API key, the media type and the length of a request, by the status that refuses it. */
const REFUSED: Readonly<Record<number, readonly [path: string, key: string, type: string, length: number]>> = {
  401: ['/v1/pets', 'another-key', 'application/json', 9000],
  404: ['/v1/animals', KEY, 'application/json', 9000],
  413: ['/v1/pets', KEY, 'application/json', 999_999],
  415: ['/v1/pets', KEY, 'text/plain', 9000],
};

/** The head of a request, and what its client sends again and again of a body that never ends. */
function dripping(status: number, isChunked: boolean): { readonly head: string; readonly drop: string } {
  const [path, key, type, length] = REFUSED[status] as (typeof REFUSED)[number];
  const framing = isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`;
  // A media type is looked at before chunks only if the client waits for a 100: they may turn out to be too large.
  const expectation = isChunked && status === 415 ? ['Expect: 100-continue'] : [];
  const fields = ['Host: x', `Authorization: Bearer ${key}`, `Content-Type: ${type}`, framing, ...expectation];
  const piece = 'x'.repeat(1000);
  return {
    head: `POST ${path} HTTP/1.1\r\n${fields.join('\r\n')}\r\n\r\n`,
    drop: isChunked ? `3e8\r\n${piece}\r\n` : 'x',
  };
}

describe('createHttpServer, whose handler has refused a request while its body drips in', () => {
  for (const [name, handlerOf] of Object.entries(ADAPTERS)) {
    for (const isBefore of [true, false]) {
      for (const isChunked of [false, true]) {
        const when = isBefore ? 'before it drains' : 'while it drains';
        it(`waits for no rest of ${isChunked ? 'chunks' : 'a Content-Length'}, refused ${when} by ${name}`, async () => {
          const times = { headersTimeout: 600_000, requestTimeout: 600_000 };
          const server = createHttpServer(handlerOf(inMemory({ bodyLimit: 20_000 })), times);
          const port = await listenOnFreePort(server);
          const requests: (readonly [number, RawConnection])[] = [];
          for (const status of Object.keys(REFUSED).map(Number)) requests.push([status, await open(port)] as const);
          const refuse = async (): Promise<void> => {
            for (const [status, connection] of requests) {
              const { head, drop } = dripping(status, isChunked);
              connection.send(head);
              drip(connection, drop);
              expect((await connection.receive()).status).to.equal(status);
            }
          };

          if (isBefore) await refuse();
          const drained = server.drain(5000);
          if (!isBefore) await refuse();
          await drained;
        });
      }
    }
  }
});
