import { expect } from 'chai';
import type { Db } from 'mongodb';
import { createServer } from 'node:net';
import {
  API_KEYS_BY_DIGEST,
  CollationError,
  CREATIONS_BY_AGE,
  INDEXES,
  makeIndexes,
  missingIndexes,
  PETS_BY_STATUS,
} from '../../../../src/adapters/mongodb/schema/indexes.js';
import { plannedChanges } from '../../../../src/adapters/mongodb/schema/migration.js';
import { MongoApiKeyRegistry } from '../../../../src/adapters/mongodb/api-keys/mongo-api-key-registry.js';
import { MongoPetCatalogue } from '../../../../src/adapters/mongodb/pets/mongo-pet-catalogue.js';
import { IDEMPOTENCY_KEY_RETENTION_MS } from '../../../../src/domain/idempotency-key.js';
import { apiKeyManagerOf } from '../../../support/api-key-manager.js';
import { startDatalessMongodb } from '../../../support/dataless-mongodb.js';
import { listenOnFreePort } from '../../../support/listen-on-free-port.js';
import { rejectionOf } from '../../../support/rejection-of.js';
import { useMongodb } from '../../../support/use-mongodb.js';
import { commandsOf, useWatchedDatabase } from '../commands-of.js';
import { clientOf } from '../client-of.js';
import { PATIENT } from '../../../support/patience.js';

describe('the indexes in MongoDB', () => {
  const mongodb = useMongodb();
  const { client, db } = useWatchedDatabase(mongodb);

  it('are all missing from an empty database', async () => {
    expect(await missingIndexes(db(), INDEXES)).to.deep.equal(INDEXES);
  });

  it('are created once, however often they are requested', async () => {
    expect(await makeIndexes(db(), INDEXES)).to.deep.equal(INDEXES);
    const sent = await commandsOf(client(), async () => makeIndexes(db(), INDEXES));
    expect(sent.map(({ name }) => name)).not.to.include('createIndexes');
  });

  it('count as present under any name', async () => {
    await db().collection('pets').createIndex({ status: 1, _id: 1 }, { name: 'of_the_operator' }, {});
    expect(await missingIndexes(db(), [PETS_BY_STATUS])).to.deep.equal([]);
    const catalogue = new MongoPetCatalogue(db(), PATIENT);
    await catalogue.init();
    const pet = await catalogue.add({ name: 'Rex', categoryId: 7n, status: 'sold' });
    expect(await catalogue.list({ limit: 1, status: 'sold' })).to.deep.equal({ pets: [pet] });
  });

  it('do not count as present with their fields in another order', async () => {
    await db().collection('pets').createIndex({ _id: 1, status: 1 }, {}, {});
    expect(await missingIndexes(db(), [PETS_BY_STATUS])).to.deep.equal([PETS_BY_STATUS]);
  });

  it('expire a creation later than addOnce may forget it', async () => {
    const sent = await commandsOf(client(), async () => new MongoPetCatalogue(db(), PATIENT).init());
    const builds = sent.filter(({ name }) => name === 'createIndexes').map(({ command }) => command);
    const [index] = builds.find(({ createIndexes }) => createIndexes === 'creations')?.['indexes'] as [object];
    expect(index)
      .to.deep.include({ key: new Map([['at', 1]]) })
      .and.to.have.property('expireAfterSeconds');
    expect((index as { expireAfterSeconds: number }).expireAfterSeconds).to.be.greaterThan(
      IDEMPOTENCY_KEY_RETENTION_MS / 1000,
    );
  });

  it('are built without a time limit, which would abort the build of a large one', async () => {
    const sent = await commandsOf(client(), async () => makeIndexes(db(), INDEXES));
    const builds = sent.filter(({ name }) => name === 'createIndexes');
    expect(builds).to.have.length(3);
    for (const { command } of builds) {
      expect(command).not.to.have.property('maxTimeMS');
      expect(command['writeConcern']).to.deep.equal({ w: 'majority' });
    }
  });

  it('are neither checked nor created by listing and revoking keys', async () => {
    const manager = apiKeyManagerOf(new MongoApiKeyRegistry(db(), PATIENT));
    const { id } = await manager.issue({ name: 'anna' });
    const sent = await commandsOf(client(), async () => {
      await manager.list().next();
      await manager.revoke(id);
    });
    expect(sent.map(({ name }) => name)).to.deep.equal(['find', 'find', 'update']);
  });

  it('are the changes that a new database needs', async () => {
    const changes = await plannedChanges(db());
    expect(changes.map(({ description }) => description)).to.deep.equal([
      'create the index pets { status: 1, _id: 1 }',
      'create the index creations { at: 1 }, which expires documents after 90000 s',
      'create the index apiKeys { digest: 1 }, unique',
    ]);
    expect(await missingIndexes(db(), INDEXES)).to.deep.equal(INDEXES);
    for (const { apply } of changes) await apply();
    expect(await plannedChanges(db())).to.deep.equal([]);
  });

  it('are all missing if the server knows no such collection', async () => {
    const server = await startDatalessMongodb();
    const dataless = clientOf(server);
    server.refuse({ code: 26, codeName: 'NamespaceNotFound', errmsg: 'no such collection' }, ['listIndexes']);
    expect(await missingIndexes(dataless.db(), INDEXES)).to.deep.equal(INDEXES);
    server.refuse({ code: 13, codeName: 'Unauthorized', errmsg: 'not authorized' }, ['listIndexes']);
    expect(await rejectionOf(missingIndexes(dataless.db(), INDEXES))).to.have.property('code', 13);
  });

  it('are not created if the server does not answer', async () => {
    const server = await startDatalessMongodb();
    const dataless = clientOf(server);
    server.refuse({ code: 91, codeName: 'ShutdownInProgress', errmsg: 'shutting down' }, ['createIndexes']);
    expect(await rejectionOf(makeIndexes(dataless.db(), INDEXES))).to.have.property('code', 'store_unavailable');
  });
});

describe('the deadline for a check of the indexes in MongoDB', () => {
  const deadlineMs = 200;
  for (const [what, check] of Object.entries<(db: Db) => Promise<unknown>>({
    plannedChanges: async (db) => plannedChanges(db, { deadlineMs }),
    makeIndexes: async (db) => makeIndexes(db, INDEXES, deadlineMs),
    'init of the catalogue': async (db) => new MongoPetCatalogue(db, { deadlineMs }).init(),
    'init of the registry': async (db) => new MongoApiKeyRegistry(db, { deadlineMs }).init(),
  })) {
    it(`is the one that ${what} is given`, async () => {
      const port = await listenOnFreePort(createServer(() => undefined));
      const silent = clientOf({ port }, { serverSelectionTimeoutMS: 30_000 });
      expect(await rejectionOf(check(silent.db()))).to.have.nested.property(
        'cause.message',
        `no answer within ${deadlineMs} ms`,
      );
    });
  }
});

describe('an index of the same fields in MongoDB', () => {
  const KEYS = { pets: PETS_BY_STATUS, apiKeys: API_KEYS_BY_DIGEST, creations: CREATIONS_BY_AGE } as const;

  /** Whether an index of a collection counts as there if it is described like this. */
  async function counts(collection: keyof typeof KEYS, options: object): Promise<boolean> {
    const server = await startDatalessMongodb();
    const client = clientOf(server);
    const needed = KEYS[collection];
    server.answer('listIndexes', [{ v: 2, key: needed.key, name: 'of_the_operator', ...options }]);
    return (await missingIndexes(client.db(), [needed])).length === 0;
  }

  it('counts as present if it covers all documents', async () => {
    expect(await counts('pets', {})).to.equal(true);
    expect(await counts('pets', { sparse: false, hidden: false })).to.equal(true);
  });

  for (const [what, options] of Object.entries({
    hidden: { hidden: true },
    sparse: { sparse: true },
    partial: { partialFilterExpression: { status: 'sold' } },
    'of a collation': { collation: { locale: 'fr' } },
    'removing documents': { expireAfterSeconds: 3600 },
  })) {
    it(`does not count as present if it is ${what}`, async () => {
      expect(await counts('pets', options)).to.equal(false);
    });
  }

  it('is refused by name in every collection with a default collation, which all of its indexes have', async () => {
    const server = await startDatalessMongodb();
    const key = { _id: 1 };
    server.answer('listIndexes', [{ v: 2, name: '_id_', key, collation: { locale: 'de', strength: 1 } }]);
    const client = clientOf(server);
    const error = await rejectionOf(makeIndexes(client.db('zoo'), INDEXES));
    expect(error).to.be.instanceOf(CollationError);
    expect((error as CollationError).errors.map((each) => each.split(':', 1)[0])).to.deep.equal([
      'pets has a default collation ("de")',
      'creations has a default collation ("de")',
      'apiKeys has a default collation ("de")',
    ]);
  });

  it('does not count as present if it must be unique and is not', async () => {
    expect(await counts('apiKeys', {})).to.equal(false);
    expect(await counts('apiKeys', { unique: true })).to.equal(true);
  });

  it('counts as present if it removes documents later than necessary, or never', async () => {
    const { expireAfterSeconds } = CREATIONS_BY_AGE;
    expect(await counts('creations', { expireAfterSeconds: expireAfterSeconds - 1 })).to.equal(false);
    expect(await counts('creations', { expireAfterSeconds: expireAfterSeconds + 1 })).to.equal(true);
    expect(await counts('creations', {})).to.equal(true);
  });
});
