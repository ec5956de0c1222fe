import { expect } from 'chai';
import type { Db } from 'mongodb';
import { checkDatabase, prepareDatabase } from '../../../src/adapters/mongodb/preparation.js';
import { startDatalessMongodb } from '../../support/dataless-mongodb.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { useMongodb } from '../../support/use-mongodb.js';
import { clientOf } from './client-of.js';

describe('prepareDatabase', () => {
  const mongodb = useMongodb();

  it('creates the indexes that are missing, as in a database of an earlier version, any number of times and concurrently', async () => {
    const db = mongodb.createDatabase();
    await Promise.all([prepareDatabase(db), prepareDatabase(db)]);
    await db.collection('pets').dropIndex('status_1__id_1');
    await prepareDatabase(db);
    const indexesOf = async (name: string): Promise<string[]> =>
      (await db.collection(name).indexes()).map(({ key, unique, sparse }) => JSON.stringify({ key, unique, sparse }));
    expect(await indexesOf('pets')).to.have.members([
      '{"key":{"_id":1}}',
      '{"key":{"status":1,"_id":1}}',
      '{"key":{"digest":1},"unique":true,"sparse":true}',
    ]);
    expect(await indexesOf('apiKeys')).to.have.members(['{"key":{"_id":1}}', '{"key":{"digest":1},"unique":true}']);
  });

  /** The error for a server that refuses to create an index. */
  async function refusalOf(refusal?: object): Promise<Error> {
    const server = await startDatalessMongodb();
    server.refuse(refusal, ['createIndexes']);
    const error = await rejectionOf(prepareDatabase(clientOf(server).db()));
    expect(error).to.be.instanceOf(Error);
    return error as Error;
  }

  it('names the database, and what is missing, if its user may not write', async () => {
    const error = await refusalOf();
    expect(error.message).to.equal(
      'the MongoDB database zoo is not writable for its user, who needs a role such as readWrite',
    );
    expect(error.cause).to.have.property('code', 13);
  });

  for (const code of [85, 86]) {
    it(`names the index, the collection and what to do if another index is in the way (${code})`, async () => {
      const { message } = await refusalOf({ code, errmsg: 'Index already exists with a different name: mine' });
      expect(message).to.equal(
        'the MongoDB database zoo needs the index status_1__id_1 of the collection pets, {"key":{"status":1,"_id":1}}; another ' +
          'index conflicts with it: drop that one, then start again (Index already exists with a different name: mine)',
      );
    });
  }

  it("rejects with the server's error for anything else", async () => {
    expect(await refusalOf({ code: 67, errmsg: 'cannot create unique index' })).to.include({ code: 67 });
  });
});

describe('checkDatabase', () => {
  const mongodb = useMongodb();
  const messageOf = async (db: Db): Promise<string> => ((await rejectionOf(checkDatabase(db))) as Error).message;

  it('resolves if the database is prepared', async () => {
    const db = mongodb.createDatabase();
    await prepareDatabase(db);
    await checkDatabase(db);
  });

  it('names the database that is missing, and creates nothing', async () => {
    const db = mongodb.createDatabase();
    expect(await messageOf(db)).to.equal(`the MongoDB database ${db.databaseName} does not exist`);
    expect(await db.listCollections().toArray()).to.deep.equal([]);
  });

  it('names the collections that are missing', async () => {
    const db = mongodb.createDatabase();
    await db.createCollection('pets');
    expect(await messageOf(db)).to.equal(`the MongoDB database ${db.databaseName} has no collection apiKeys`);
    await db.dropCollection('pets');
    await db.createCollection('cars');
    expect(await messageOf(db)).to.include('has no collection pets and no collection apiKeys');
  });
});
