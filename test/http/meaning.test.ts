import { createHttpInterface } from '../../src/adapters/http/http-interface.js';
import { createListener } from '../../src/adapters/http/node/listener.js';
import { declareHttpSuite, MANY, MEANING, STORE } from './http-suite.js';
import { serveInMemory } from './serve-in-memory.js';

// The only place where all of it runs: the other suites run what their transport or their store can break.
declareHttpSuite(
  'what requests mean',
  async () =>
    serveInMemory((options) => createListener(createHttpInterface(options)), { mountPath: '', keepsTargets: true }),
  [...STORE, ...MEANING],
  MANY,
);
