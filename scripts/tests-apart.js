/** Which tests run where: those that need something of their own, those for versions of Node, and those that wait. */
import { readFileSync } from 'node:fs';
import { testFilesIn } from './test-run.js';

/** Those that `npm run test:tools` runs and `npm test` leaves out. They install much, and use no shared fixtures. */
export const TOOLS = ['test/tools/'];

/**
 * Those that `npm run test:runtimes` runs on the Node that runs it, and `npm test` leaves out: other runtimes and the browser,
 * what is built from a clone, programs that the package runs in, and programs that it runs behind.
 */
export const OTHERS = [
  // The longest first, so that none of them is left over for the end.
  'test/recipes/',
  'test/package/package-managers.test.ts',
  'test/package/bundlers.test.ts',
  'test/runtimes/',
  'test/package/types.test.ts',
  'test/deploy/image.test.ts',
  'test/http/runtimes.test.ts',
  'test/deploy/prometheus.test.ts',
  'test/deploy/proxy.test.ts',
  'test/deploy/systemd.test.ts',
  'test/http/reference.test.ts',
  'test/http/reference-accessibility.test.ts',
  'test/adapters/remote/runtimes.test.ts',
  'test/package/',
  'test/service/killed-moves-on-mongodb.test.ts',
  'test/soak/',
];

/** Those of `OTHERS` that need `node:sqlite`. `npm run test:runtimes` runs them on Node 22 if its own Node does not have the module. */
export const OTHERS_WITH_SQLITE = ['test/deploy/systemd.test.ts'];

/**
 * Those that `npm run test:costs` runs and `npm test` leaves out, because they measure what something costs. Nothing may run
 * beside them.
 */
export const COSTS = ['test/adapters/in-memory/scale.test.ts', 'test/http/costs.test.ts'];

/**
 * Those that need `node:sqlite`: the files that declare a suite by `describeWithSqlite`, and one more. In CI, `npm test` runs them
 * on Node 22 if its own Node does not have the module.
 */
export const SQLITE = [
  'test/deploy/env-example.test.ts',
  ...testFilesIn('test').filter((file) => /\bdescribeWithSqlite\(/.test(readFileSync(file, 'utf8'))),
];

/**
 * Those that each version of Node can break by itself. `npm run test:runtimes` runs them on the newest one: what a version changes,
 * the versions after it have too.
 */
export const OF_EACH_NODE = [
  // Sockets, streams, timers and `fetch`.
  'test/adapters/http/fetch/',
  'test/adapters/http/koa/',
  'test/adapters/http/node/',
  'test/adapters/http/server/',
  'test/adapters/remote/abandoned-bodies.test.ts',
  'test/adapters/remote/invalid-answers.test.ts',
  'test/adapters/remote/network-faults.test.ts',
  'test/adapters/remote/pauses.test.ts',
  'test/adapters/remote/redirects.test.ts',
  'test/adapters/remote/retries.test.ts',
  'test/http/descriptor-shortage.test.ts',
  'test/http/transports.test.ts',
  // What Node does with a standard error stream that nobody reads.
  'test/bootstrap/log/log-destinations.test.ts',
  // `import` and `require` of the packed package.
  'test/package/imports.test.ts',
];

/** A look at each part that a version can break: sockets, the process, SQLite and the packed package. All versions but the newest run it. */
export const OF_OLDER_NODES = [
  'test/adapters/http/node/',
  'test/adapters/http/server/',
  'test/adapters/remote/retries.test.ts',
  'test/adapters/sqlite/sqlite-pet-catalogue.test.ts',
  'test/package/imports.test.ts',
];

/** Those that a new version of the language can break. They run on the newest version besides. */
export const OF_NEWEST_NODE = [
  'test/domain/',
  'test/application/',
  'test/json/',
  'test/adapters/in-memory/in-memory-api-keys.test.ts',
  'test/adapters/in-memory/in-memory-pet-catalogue.test.ts',
];

/**
 * Files that wait rather than compute: for deadlines, for drains, and for a database or a network that fails and comes back. They
 * run beside the others, the longest first.
 */
export const WAITING = [
  'test/service/killed-moves-on-mongodb.test.ts',
  'test/soak/soak.test.ts',
  'test/service/database-faults.test.ts',
  'test/bootstrap/mongodb-start.test.ts',
  'test/adapters/mongodb/faults.test.ts',
  'test/adapters/remote/network-faults.test.ts',
  'test/service/killed-service.test.ts',
  'test/service/keys-while-silent.test.ts',
  'test/adapters/mongodb/api-keys/verified-keys.test.ts',
  'test/adapters/http/server/limits.test.ts',
  'test/adapters/http/server/http-server.test.ts',
  'test/service/drain.test.ts',
  'test/adapters/mongodb/connect-mongo-client.test.ts',
  'test/bootstrap/drain.test.ts',
  'test/adapters/mongodb/deadlines.test.ts',
  'test/adapters/mongodb/step-down.test.ts',
];
