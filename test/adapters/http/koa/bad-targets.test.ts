import { expect } from 'chai';
import { createServer } from 'node:http';
import { InMemoryApiKeys } from '../../../../src/adapters/in-memory/in-memory-api-keys.js';
import { InMemoryPetCatalogue } from '../../../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { createApp } from '../../../../src/adapters/http/koa/create-app.js';
import { createAnimalStore } from '../../../../src/application/animal-store.js';
import { endWithTest } from '../../../support/cleanup.js';
import { listenOnFreePort } from '../../../support/listen-on-free-port.js';
import { request } from '../../../support/request.js';

/** Malformed URLs that Node's parser lets pass as targets. */
const TARGETS = ['foo://[', 'ftp://[::1', 'ftp://[::1/?after=1'];

describe('the Koa application with middleware of its own', () => {
  for (const target of TARGETS) {
    it(`answers 400 to ${target}, and neither logs an error nor makes Node warn`, async () => {
      const logged: unknown[] = [];
      const warned: unknown[] = [];
      const note = (fields: object): void => void logged.push(fields);
      const app = createApp({
        store: createAnimalStore({ catalogue: new InMemoryPetCatalogue() }),
        apiKeys: new InMemoryApiKeys([]),
        log: { warn: note, error: note },
      });
      app.use(async (_context, next) => next());
      const noteWarning = (warning: Error): void => void warned.push(warning);
      process.on('warning', noteWarning);
      endWithTest(() => process.off('warning', noteWarning));
      const port = await listenOnFreePort(createServer(app.callback()));
      expect((await request(port, 'GET', target)).status).to.equal(400);
      expect({ logged, warned }).to.deep.equal({ logged: [], warned: [] });
    });
  }
});
