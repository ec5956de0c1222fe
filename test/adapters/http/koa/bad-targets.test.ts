import { expect } from 'chai';
import { createServer } from 'node:http';
import { createApp } from '../../../../src/adapters/http/koa/create-app.js';
import { endWithTest } from '../../../support/cleanup.js';
import { inMemory } from '../../../support/in-memory-interface.js';
import { listenOnFreePort } from '../../../support/listen-on-free-port.js';
import { request } from '../../../support/request.js';

describe('the Koa application with additional middleware', () => {
  let logged: unknown[];
  let warned: unknown[];
  let port: number;

  beforeEach(async () => {
    logged = [];
    warned = [];
    const note = (fields: object): void => void logged.push(fields);
    const app = createApp(inMemory({ log: { warn: note, error: note } }));
    app.use(async (_ctx, next) => next());
    const noteWarning = (warning: Error): void => void warned.push(warning);
    process.on('warning', noteWarning);
    endWithTest(() => process.off('warning', noteWarning));
    port = await listenOnFreePort(createServer(app.callback()));
  });

  // Malformed URLs that Node's parser lets pass as targets.
  for (const [target, status] of [
    ['foo://[', 400],
    ['ftp://[::1/?after=1', 400],
    ['http://[::1', 302],
    ['http://[::1?x=y', 302],
    ['http://[::1/livez?x=y', 200],
  ] as const) {
    it(`answers ${status} to ${target}, and neither logs an error nor makes Node warn`, async () => {
      expect((await request(port, 'GET', target)).status).to.equal(status);
      expect({ logged, warned }).to.deep.equal({ logged: [], warned: [] });
    });
  }
});
