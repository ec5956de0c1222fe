import { expect } from 'chai';
import type { MongoClient } from 'mongodb';
import { plannedChanges } from '../../../../src/adapters/mongodb/schema/migration.js';
import { checkShardKeys, ShardingError } from '../../../../src/adapters/mongodb/schema/shard-keys.js';
import { startDatalessMongodb, type DatalessMongodb } from '../../../support/dataless-mongodb.js';
import { rejectionOf } from '../../../support/rejection-of.js';
import { commandsOf } from '../commands-of.js';
import { clientOf } from '../client-of.js';

const HASHED = { _id: 'hashed' };

describe('the shards of MongoDB', () => {
  let server: DatalessMongodb;
  let client: MongoClient;

  beforeEach(async () => {
    server = await startDatalessMongodb();
    client = clientOf(server, { monitorCommands: true });
  });

  for (const [what, keys] of [
    ['nothing', {}],
    ['the hashed ids', { 'zoo.pets': HASHED }],
    ['ranges of ids', { 'zoo.pets': { _id: 1 } }],
    ['ids, the reservations too', { 'zoo.pets': HASHED, 'zoo.creations': HASHED }],
    ['the key of another database', { 'farm.pets': { name: 1 } }],
  ] as const) {
    it(`are accepted by ${what}`, async () => {
      server.shard(keys);
      await checkShardKeys(client.db('zoo'));
    });
  }

  for (const [collection, key] of [
    ['pets', { name: 1 }],
    ['pets', { status: 1, _id: 1 }],
    ['pets', { _id: 1, status: 1 }],
    ['pets', { _id: -1 }],
    ['pets', { name: 'hashed' }],
    ['creations', { at: 1 }],
  ] as const) {
    it(`are refused, with the collection and the key named, if ${collection} is sharded by ${JSON.stringify(key)}`, async () => {
      server.shard({ 'zoo.pets': HASHED, [`zoo.${collection}`]: key });
      const error = await rejectionOf(plannedChanges(client.db('zoo')));
      expect(error).to.be.instanceOf(ShardingError);
      expect((error as Error).message).to.include(`${collection} is sharded by ${JSON.stringify(key)}`);
    });
  }

  it('are refused with a line for each collection', async () => {
    server.shard({ 'zoo.pets': { name: 1 }, 'zoo.creations': { at: 1 } });
    const { name, message, errors } = (await rejectionOf(checkShardKeys(client.db('zoo')))) as ShardingError;
    expect(name).to.equal('ShardingError');
    expect(errors.map((error) => error.split(' ')[0])).to.deep.equal(['pets', 'creations']);
    expect(message).to.equal(errors.join('\n'));
  });

  it('are unknown if the server does not answer in time', async () => {
    server.shard({});
    server.refuse({ code: 50, codeName: 'MaxTimeMSExpired', errmsg: 'too late' }, ['config.find']);
    expect(await rejectionOf(checkShardKeys(client.db('zoo')))).to.have.property('code', 'store_unavailable');
  });

  it('are refused if the user may not read the shard keys, with the privilege named', async () => {
    server.shard({ 'zoo.pets': HASHED });
    server.refuse(undefined, ['config.find']);
    const error = await rejectionOf(checkShardKeys(client.db('zoo')));
    expect(error).to.be.instanceOf(ShardingError);
    expect((error as Error).message).to.include("{ db: 'config', collection: 'collections' }, actions: ['find']");
    expect((error as Error).cause).to.have.property('code', 13);
  });

  it('are read for these collections only, and only if one is sharded', async () => {
    server.shard({});
    const sent = await commandsOf(client, async () => checkShardKeys(client.db('zoo')));
    expect(sent.map(({ name }) => name)).to.deep.equal(['hello', 'find']);
    expect(sent[1]?.command).to.deep.include({
      $db: 'config',
      find: 'collections',
      filter: {
        _id: { $in: ['zoo.pets', 'zoo.creations'] },
        dropped: { $ne: true },
        unsplittable: { $ne: true },
      },
    });
  });

  it('are not read from a server that is not a mongos', async () => {
    const sent = await commandsOf(client, async () => checkShardKeys(client.db('zoo')));
    expect(sent.map(({ name }) => name)).to.deep.equal(['hello']);
  });
});
