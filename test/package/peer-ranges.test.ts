import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { Child, type Environment } from '../support/child.js';
import { listening } from '../support/command.js';
import { installPackages } from '../support/install-packages.js';
import { metricsAt } from '../support/metrics.js';
import { request } from '../support/request.js';
import { useMongodb } from '../support/use-mongodb.js';
import { contractScript, type ContractOutcome } from './contract-script.js';
import {
  CHECK_JSDOC,
  DEPENDENCIES,
  linkAs,
  makeProject,
  MANIFEST,
  oldestOf,
  ROOT,
  run,
  succeed,
  TOOLS,
  write,
} from './project.js';

const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');

const ON_MONGODB = contractScript({
  imports: `
    import { createApiKeyManager } from 'animal-store';
    import { randomUUID } from 'node:crypto';
    import { verifyApiKeyRegistryContract, verifyApiKeysContract, verifyPetCatalogueContract } from 'animal-store/contract';
    import { connectMongoClient, MongoApiKeyRegistry, MongoApiKeys, MongoPetCatalogue } from 'animal-store/mongodb';
    const client = await connectMongoClient(process.env.MONGODB_URL);
    const databases = [];
    const open = () => {
      const db = client.db('animal-store-test-' + randomUUID());
      databases.push(db);
      return db;
    };`,
  createCatalogue: 'const catalogue = new MongoPetCatalogue(open()); await catalogue.init(); return catalogue;',
  createKeys: `
    const db = open();
    const registry = new MongoApiKeyRegistry(db);
    await registry.init();
    return { registry, apiKeys: new MongoApiKeys(db) };`,
  end: `
    await client.close();
    // By another client, as the ids that the first one reserves ahead would come between.
    const cleaner = await connectMongoClient(process.env.MONGODB_URL);
    for (const { databaseName } of databases) await cleaner.db(databaseName).dropDatabase();
    await cleaner.close();`,
});

describe('the oldest version that the range of an optional package allows', function () {
  this.timeout(600_000);
  const mongodb = useMongodb();
  let project: string;

  before(async () => installPackages(join(ROOT, TOOLS)));

  /** A project with the packed package, and beside it the oldest version of an optional package. */
  function makeProjectWith(name: string): string {
    const alias = `oldest-${name.replace('@types/', 'types-')}`;
    const folder = join(ROOT, TOOLS, 'node_modules', alias);
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { readonly version: string };
    expect(version).to.equal(oldestOf(MANIFEST.peerDependencies[name] ?? ''));
    project = makeProject(DEPENDENCIES);
    linkAs(project, name, folder);
    return project;
  }

  /** Starts the command of the project; resolves with it to where it listens, and a key. */
  async function serve(args: readonly string[], env: Environment = {}) {
    const cli = join(project, 'node_modules/animal-store', MANIFEST.bin['animal-store'] as string);
    const server = Child.start(process.execPath, [cli, 'serve', '--port', '0', ...args], { env });
    const { port } = await listening(server);
    return { server, port, key: /^API key for this run: (\S+)$/m.exec(server.stdout)?.[1] ?? '' };
  }

  it('of mongodb fulfils the contracts', () => {
    makeProjectWith('mongodb');
    write(project, 'main.mjs', ON_MONGODB);
    const env = { MONGODB_URL: mongodb.createDatabaseUrl() };
    const { all, failed } = JSON.parse(succeed(project, process.execPath, ['main.mjs'], env)) as ContractOutcome;
    expect(failed).to.deep.equal([]);
    expect(all).to.be.greaterThan(100);
  });

  it('of prom-client serves metrics', async () => {
    makeProjectWith('prom-client');
    const { server, port, key } = await serve(['--metrics-port', '0']);
    await request(port, 'GET', '/v1/pets', { key });
    const metrics = await metricsAt(/^Metrics: (\S+)$/m.exec(server.stdout)?.[1] ?? '');
    expect(metrics.families.length).to.be.greaterThan(30);
    expect(metrics.families.filter(({ help, type }) => help === '' || type === 'UNTYPED')).to.deep.equal([]);
    const answered = { method: 'GET', route: '/v1/pets', status: '200' };
    expect(metrics.value('animal_store_http_request_duration_seconds_count', answered)).to.equal(1);
    await server.stop();
  });

  it('of rate-limiter-flexible limits the rate', async () => {
    makeProjectWith('rate-limiter-flexible');
    const { server, port, key } = await serve(['--rate-limit', '1/h']);
    expect((await request(port, 'GET', '/v1/pets', { key })).status).to.equal(200);
    expect((await request(port, 'GET', '/v1/pets', { key })).status).to.equal(429);
    await server.stop();
  });

  it('of yaml prints the OpenAPI document', () => {
    makeProjectWith('yaml');
    const cli = join(project, 'node_modules/animal-store', MANIFEST.bin['animal-store'] as string);
    write(
      project,
      'read.mjs',
      `import { parse } from 'yaml'; import { readFileSync } from 'node:fs';
      console.log(JSON.stringify(parse(readFileSync('openapi.yaml', 'utf8'))));`,
    );
    write(project, 'openapi.yaml', succeed(project, process.execPath, [cli, 'openapi', '--yaml']));
    const json = succeed(project, process.execPath, [cli, 'openapi']);
    expect(JSON.parse(succeed(project, process.execPath, ['read.mjs']))).to.deep.equal(JSON.parse(json));
  });

  it('of @types/koa fits the types of animal-store/koa', () => {
    makeProjectWith('@types/koa');
    linkAs(project, '@types/node', join(ROOT, 'node_modules/@types/node'));
    write(
      project,
      'main.ts',
      `import Koa from 'koa';
      import { createAnimalStore } from 'animal-store';
      import { InMemoryApiKeys, InMemoryPetCatalogue } from 'animal-store/in-memory';
      import { createApp } from 'animal-store/koa';
      const store = createAnimalStore({ catalogue: new InMemoryPetCatalogue() });
      const app: Koa = createApp({ store, apiKeys: new InMemoryApiKeys() });
      app.callback();`,
    );
    const options = { ...CHECK_JSDOC, skipLibCheck: true };
    write(project, 'tsconfig.json', JSON.stringify({ compilerOptions: options, include: ['main.ts'] }));
    const { stdout } = run(project, process.execPath, [TSC, '-p', '.']);
    expect(stdout).to.equal('');
  });
});
