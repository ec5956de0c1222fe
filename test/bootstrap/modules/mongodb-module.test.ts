import { expect } from 'chai';
import type { MongoClient } from 'mongodb';
import { EventEmitter, once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { createMongoClient, databaseNameOf } from '../../../src/adapters/mongodb/client.js';
import { prepareDatabase } from '../../../src/adapters/mongodb/preparation.js';
import { createContainer, mongodbModule, TOKENS } from '../../../src/bootstrap/index.js';
import { MONGODB_METER } from '../../../src/bootstrap/modules/mongodb-module.js';
import { endWithTest } from '../../support/cleanup.js';
import { startDatalessMongodb } from '../../support/dataless-mongodb.js';
import { generateApiKey } from '../../support/generate-api-key.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { startTcpProxy } from '../../support/tcp-proxy.js';
import { useMongodb } from '../../support/use-mongodb.js';
import { readinessOn } from './readiness.js';

describe('the log of mongodbModule', () => {
  let lines: object[];
  const log = {
    warn: (fields: object, message: string) => void lines.push({ level: 'warn', ...fields, message }),
    error: (fields: object, message: string) => void lines.push({ level: 'error', ...fields, message }),
  };

  beforeEach(() => {
    lines = [];
  });

  for (const [whose, optionsOf] of [
    ['its own client', (url: string) => ({ url })],
    ['the client of another', (url: string) => ({ client: createMongoClient(url) })],
  ] as const) {
    it(`has nothing that is still under way when the container is unbound, with ${whose}`, async () => {
      const proxy = await startTcpProxy((await startDatalessMongodb()).port);
      const observed = new EventEmitter();
      const options = optionsOf(`mongodb://127.0.0.1:${proxy.port}/zoo`);
      if ('client' in options) await options.client.connect();
      const container = await createContainer(
        mongodbModule({ ...options, log, observe: ({ outcome }) => observed.emit(outcome) }),
      );
      const catalogue = await container.getAsync(TOKENS.petCatalogue);
      const reserving = proxy.swallowConnectionOf('findAndModify');
      const added = rejectionOf(catalogue.add({ name: 'Rex', categoryId: 7n }));
      await reserving;
      const failed = once(observed, 'unavailable');
      await container.unbindAllAsync();
      if ('client' in options) await options.client.close();
      await failed;
      expect(await added).to.have.property('code', 'store_unavailable');
      expect(lines).to.deep.equal([]);
    });
  }

  it('has what fails in the background, and nothing that a request fails with', async () => {
    const observed: (readonly [name: string, outcome: string])[] = [];
    const server = await startDatalessMongodb();
    const container = await createContainer(
      mongodbModule({
        url: `mongodb://127.0.0.1:${server.port}/zoo`,
        log,
        observe: ({ name, outcome }) => void observed.push([name, outcome]),
      }),
    );
    endWithTest(async () => container.unbindAllAsync());
    const catalogue = await container.getAsync(TOKENS.petCatalogue);
    const apiKeys = await container.getAsync(TOKENS.apiKeys);
    const key = generateApiKey();
    await catalogue.list({ limit: 1 });
    await apiKeys.verify(key);
    expect(lines).to.deep.equal([]);

    server.refuse(undefined, ['find', 'aggregate', 'findAndModify']);
    const refusals = [
      await rejectionOf(catalogue.list({ limit: 1 })),
      await rejectionOf(apiKeys.verify(generateApiKey())),
      await rejectionOf(catalogue.add({ name: 'Rex', categoryId: 7n })),
    ];
    expect(lines).to.deep.equal([
      { level: 'warn', err: refusals[1], operation: 'keys.look_up', message: 'an operation on MongoDB failed' },
      { level: 'warn', err: refusals[2], operation: 'ids.reserve', message: 'an operation on MongoDB failed' },
    ]);
    expect(observed.filter(([, outcome]) => outcome !== 'ok').map(([name]) => name)).to.include.members([
      'keys.look_up',
      'ids.reserve',
    ]);
  });
});

describe('mongodbModule', () => {
  const mongodb = useMongodb();

  it('is ready if the server answers a list, and otherwise says why in the log, once for all questions of a second', async () => {
    const { isReady } = await readinessOn(mongodbModule({ url: mongodb.createDatabaseUrl() }));
    expect(await isReady()).to.equal(true);

    const server = await startDatalessMongodb();
    const refused = await readinessOn(mongodbModule({ url: `mongodb://127.0.0.1:${server.port}/zoo` }));
    server.refuse(undefined, ['find']);
    const answers = await Promise.all(Array.from({ length: 50 }, refused.isReady));
    expect(new Set(answers)).to.deep.equal(new Set([false]));
    expect(server.received('find')).to.equal(1);
    expect(refused.reasons).to.deep.equal(['not authorized on zoo to execute the command']);
  });

  it('has closed its client once the container is unbound', async () => {
    const container = await createContainer(mongodbModule({ url: mongodb.createDatabaseUrl() }));
    let isClosed = false;
    container.bind(MONGODB_METER).toConstantValue({
      watchClient(client: MongoClient) {
        const close = client.close.bind(client);
        // A server without sessions lets its client close at once.
        client.close = async () => {
          await new Promise(setImmediate);
          await close();
          isClosed = true;
        };
      },
    });
    await (await container.getAsync(TOKENS.petCatalogue)).list({ limit: 1 });
    await container.unbindAllAsync();
    expect(isClosed).to.equal(true);
  });

  it('waits for the creation of an index that takes longer than any other operation may', async () => {
    const proxy = await startTcpProxy((await startDatalessMongodb()).port);
    let creations = 0;
    proxy.judge((chunk) =>
      chunk.includes('createIndexes') && ++creations === 1 ? { until: setTimeout(2000) } : 'pass',
    );
    const url = `mongodb://127.0.0.1:${proxy.port}/zoo`;
    const container = await createContainer(mongodbModule({ url, deadlineMs: 2000 }));
    await container.getAsync(TOKENS.petCatalogue);
    expect(creations).to.equal(3);
    await container.unbindAllAsync();
  });

  it('looks keys up with a deadline of their own if that of other operations is longer', async () => {
    const proxy = await startTcpProxy((await startDatalessMongodb()).port);
    const url = `mongodb://127.0.0.1:${proxy.port}/zoo`;
    const container = await createContainer(mongodbModule({ url, deadlineMs: 600_000 }));
    endWithTest(async () => {
      proxy.pass();
      proxy.hangUp();
      await container.unbindAllAsync();
    });
    const apiKeys = await container.getAsync(TOKENS.apiKeys);
    proxy.swallow();
    const error = (await rejectionOf(apiKeys.verify(generateApiKey()))) as Error;
    expect(error).to.include({ code: 'store_unavailable', message: 'the API key was not verified in time' });
  });

  for (const access of ['existing', 'read-only'] as const) {
    it(`creates nothing with the access ${access}, and names the database that is missing`, async () => {
      const url = mongodb.createDatabaseUrl();
      const container = await createContainer(mongodbModule({ url, access }));
      const error = (await rejectionOf(container.getAsync(TOKENS.petCatalogue))) as Error;
      expect(error.message).to.match(/^the MongoDB database animal-store-test-\w+ does not exist$/);
      expect(await rejectionOf(container.unbindAllAsync())).to.equal(error);
      const { client } = mongodb.server();
      expect(await client.db(databaseNameOf(url)).listCollections().toArray()).to.deep.equal([]);
    });

    it(`opens what exists with the access ${access}`, async () => {
      const url = mongodb.createDatabaseUrl();
      await prepareDatabase(mongodb.server().client.db(databaseNameOf(url)));
      const container = await createContainer(mongodbModule({ url, access }));
      expect(await (await container.getAsync(TOKENS.petCatalogue)).list({ limit: 1 })).to.deep.equal({ pets: [] });
      await container.unbindAllAsync();
    });
  }

  it('refuses at the start a user who may not write', async () => {
    const server = await startDatalessMongodb();
    server.refuse(undefined, ['createIndexes']);
    const container = await createContainer(mongodbModule({ url: `mongodb://127.0.0.1:${server.port}/zoo` }));
    const error = (await rejectionOf(container.getAsync(TOKENS.apiKeyRegistry))) as Error;
    expect(error.message).to.include('the MongoDB database zoo is not writable for its user');
    expect(await rejectionOf(container.unbindAllAsync())).to.equal(error);
  });

  it('uses the client that it is given, and the database of its URL or another one, and leaves the client open', async () => {
    const client = createMongoClient(mongodb.createDatabaseUrl());
    endWithTest(async () => client.close());
    for (const databaseName of [client.db().databaseName, `${client.db().databaseName}-other`]) {
      const named = databaseName.endsWith('-other') ? { databaseName } : {};
      const container = await createContainer(mongodbModule({ client, ...named }));
      await (await container.getAsync(TOKENS.animalStore)).createPet({ name: 'Rex', categoryId: 7n });
      await container.unbindAllAsync();
      expect(await client.db(databaseName).collection('pets').countDocuments(), databaseName).to.equal(1);
    }
    await client.db(`${client.db().databaseName}-other`).dropDatabase();
  });
});
