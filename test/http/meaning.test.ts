import { expect } from 'chai';
import { createHttpInterface } from '../../src/adapters/http/http-interface.js';
import type { Route } from '../../src/adapters/http/pipeline/pipeline.js';
import { createListener } from '../../src/adapters/http/node/listener.js';
import type { ResponseLog } from '../../src/adapters/http/pipeline/response-log.js';
import { declareHttpSuite, MEANING } from './http-suite.js';
import { serveInMemory } from './serve-in-memory.js';

/** The routes of the interface, and those that have answered with success, as `GET /v1/pets`. */
let routes: readonly Route[] = [];
const answered = new Set<string>();

// The only place where all of it runs: the other suites run what their transport or their store can break.
declareHttpSuite(
  'what requests mean',
  async () =>
    serveInMemory(
      (options) => {
        const onResponse = ({ method, route, status }: ResponseLog): void => {
          if (status < 400) answered.add(`${method} ${route}`);
        };
        const http = createHttpInterface({ ...options, onResponse });
        ({ routes } = http);
        return createListener(http);
      },
      { mountPath: '', keepsTargets: true },
    ),
  MEANING,
  200,
);

describe('the suite of what requests mean', () => {
  it('has a part for each operation', () => {
    const all = routes.map(({ method, path }) => `${method} ${path}`);
    expect(
      all.filter((route) => !answered.has(route)),
      'an operation gets checks in test/contracts/http-contract.ts, or a part in test/http/http-suite.ts',
    ).to.deep.equal([]);
    expect(all).to.include('POST /v1/pets');
  });
});
