import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect } from 'chai';
import { installPackages } from '../support/install-packages.js';
import { listenOnFreePort } from '../support/listen-on-free-port.js';
import { useMongodb } from '../support/use-mongodb.js';
import {
  ALL_PACKAGES,
  DEPENDENCIES,
  EXAMPLES_WITH_PACKAGES,
  makeExample,
  passedTests,
  ROOT,
  serveIn,
  succeed,
} from './project.js';

/** The lines that each example prints. */
const PROGRAMS: Readonly<Record<string, readonly (string | RegExp)[]>> = {
  'embed-the-core': [
    'Rex has the id 1',
    '1 Rex, category 7, available',
    '2 Tom, category 9223372036854775807, sold',
    '3 Kim, category 7, no status',
    /^invalid_pet: name must be .*; categoryId must be .*$/,
  ],
  gateway: [
    '/v1/pets → 201 {"id":1,"name":"Rex","categoryId":9223372036854775807}',
    '/v1/pets → 200 [{"id":1,"name":"Rex","categoryId":9223372036854775807}]',
    '/readyz → 200',
  ],
  rebind: [
    'as it comes: 200 []',
    'another catalogue: 200 [{"id":1,"name":"Rex","categoryId":7}]',
    'other keys: 200 []',
    'another transport: 200 []',
  ],
  retries: [
    '201 {"id":1,"name":"Rex","categoryId":7}',
    'Location: /v1/pets/1, Idempotency-Replayed: true',
    '3 answers, 2 of them lost; 1 animal',
  ],
  'wrap-a-catalogue': [
    'by hand',
    /^addOnce took \d+\.\d ms$/,
    /^find took \d+\.\d ms$/,
    'by onActivation',
    /^addOnce took \d+\.\d ms$/,
    '201 {"id":1,"name":"Rex","categoryId":7}',
  ],
  'mount-in-koa': [
    '/ → 200, X-Shop: corner',
    '  Welcome to the shop',
    '/shop/v1/pets?limit=1 → 200, X-Shop: corner',
    '  [{"id":1,"name":"Rex","categoryId":7,"status":"available"}]',
    '  Link: </shop/v1/pets?limit=1&after=1>; rel="next"',
    '/shop/v1/nowhere → 404, X-Shop: corner',
    /^ {2}\{"code":"route_not_found",.*"status":404\}$/,
  ],
};

/** What `examples/README.md` has to install for an example: its packages beyond animal-store, and those that npm installs with that. */
function installedFor(name: string): readonly string[] {
  const readme = readFileSync(join(ROOT, 'examples/README.md'), 'utf8');
  const [, packages = ''] = new RegExp(`^\\| \\[${name}\\].*npm install animal-store(.*?)\``, 'm').exec(readme) ?? [];
  return [...DEPENDENCIES, ...packages.split(' ').filter(Boolean)];
}

/** The examples that `node:test` runs: how many tests they have, the packages beyond their own that they need, and arguments of Node. */
const SUITES: Readonly<Record<string, readonly [tests: number, needs: readonly string[], ...args: string[]]>> = {
  'test-with-in-memory': [4, [], '--test'],
  frameworks: [53, DEPENDENCIES, '--test'],
  tracing: [4, ALL_PACKAGES, '--import', './in-memory-tracing.js', 'tracing.test.js'],
};

describe('the examples, with the packed package', function () {
  this.timeout(600_000);
  const mongodb = useMongodb();

  before(async () => {
    for (const name of EXAMPLES_WITH_PACKAGES) await installPackages(join(ROOT, 'examples', name));
  });

  it('are all known here', () => {
    const known = [...Object.keys(PROGRAMS), ...Object.keys(SUITES)];
    expect(readdirSync(join(ROOT, 'examples'))).to.have.members([...known, 'README.md']);
  });

  function expectLines(name: string, installed = installedFor(name), env: NodeJS.ProcessEnv = {}): void {
    const lines = succeed(makeExample(name, installed), process.execPath, ['main.js'], env).trimEnd().split('\n');
    expect(lines).to.have.lengthOf(PROGRAMS[name]?.length ?? 0);
    for (const [i, expected] of PROGRAMS[name]?.entries() ?? []) {
      if (typeof expected === 'string') expect(lines[i]).to.equal(expected);
      else expect(lines[i]).to.match(expected);
    }
  }

  for (const name of Object.keys(PROGRAMS))
    it(`${name} runs with what the README has installed, and prints what it should`, () => expectLines(name));

  it('rebind runs on a MongoDB server, and prints the same', () =>
    expectLines('rebind', [...installedFor('rebind'), 'mongodb'], { MONGODB_URL: mongodb.createDatabaseUrl() }));

  for (const [name, [tests, needs, ...args]] of Object.entries(SUITES)) {
    it(`${name} passes its tests under node:test`, () => {
      const env = { MONGODB_URL: mongodb.createDatabaseUrl() };
      expect(passedTests(makeExample(name, needs), args, env)).to.be.at.least(tests);
    });
  }

  it('tracing sends the traces of the command to a collector, the last ones when the command ends', async () => {
    const paths: (string | undefined)[] = [];
    const collector = createServer((request, response) => {
      paths.push(request.url);
      request.resume().once('end', () => response.end());
    });
    const port = await listenOnFreePort(collector);
    const NODE_OPTIONS = '--import=./tracing.js';
    const env = { NODE_OPTIONS, OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` };
    const { server, listPets } = await serveIn(makeExample('tracing', ALL_PACKAGES), [], { env });
    await listPets();
    expect(await server.stop()).to.deep.equal({ code: 0, signal: null });
    // A batch may leave before the end, too, if the machine is busy.
    expect([...new Set(paths)]).to.deep.equal(['/v1/traces']);
  });
});
