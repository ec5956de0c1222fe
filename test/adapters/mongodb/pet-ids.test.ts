import { expect } from 'chai';
import type { Context } from 'mocha';
import { Double, type Db } from 'mongodb';
import { createMongoClient } from '../../../src/adapters/mongodb/client.js';
import { MongoPetCatalogue } from '../../../src/adapters/mongodb/mongo-pet-catalogue.js';
import { prepareDatabase } from '../../../src/adapters/mongodb/preparation.js';
import { INT64_MAX } from '../../../src/domain/int64.js';
import { endWithTest } from '../../support/cleanup.js';
import { cursorOf, startDatalessMongodb } from '../../support/dataless-mongodb.js';
import { PATIENT } from '../../support/patience.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.js';
import { throughProxy, useMongodb } from '../../support/use-mongodb.js';
import { clientOf } from './client-of.js';
import { commandsOf, useWatchedDatabase } from './commands-of.js';

const REX = { name: 'Rex', categoryId: 7n } as const;

async function addMany(catalogue: MongoPetCatalogue, count: number): Promise<bigint[]> {
  const pets = await Promise.all(Array.from({ length: count }, async () => catalogue.add(REX)));
  return pets.map(({ id }) => id);
}

const isAscending = (ids: readonly bigint[]): boolean => ids.every((id, i) => i === 0 || id > (ids[i - 1] as bigint));

describe('the ids of animals in MongoDB', () => {
  const mongodb = useMongodb();
  const { client, db } = useWatchedDatabase(mongodb);

  /** A catalogue as another process has it. */
  const open = (of: Db = db()): MongoPetCatalogue => new MongoPetCatalogue(of, PATIENT);

  /** Stores animals of another program, which does not use the counter. */
  async function store(...ids: readonly unknown[]): Promise<void> {
    await db()
      .collection<{ _id: unknown }>('pets')
      .insertMany(ids.map((_id) => ({ _id, ...REX })));
  }

  /** Sets the counter, as a back-up that is restored does. */
  async function setCounter(last: unknown): Promise<void> {
    const counters = db().collection<{ _id: string; last: unknown }>('counters');
    await counters.updateOne({ _id: 'pets' }, { $set: { last } }, { upsert: true });
  }

  it('begin with 1 and ascend in the order of the calls, with few requests', async () => {
    let ids: bigint[] = [];
    const sent = await commandsOf(client(), async () => (ids = await addMany(open(), 2500)));
    expect(ids).to.deep.equal(ids.map((_, i) => BigInt(i + 1)));
    expect(sent.filter(({ name }) => name === 'findAndModify').length).to.be.at.most(5);
  });

  it('are greater than all before if the counter was lost', async () => {
    await addMany(open(), 13);
    await db().collection('counters').drop();
    expect(await addMany(open(), 2)).to.deep.equal([14n, 15n]);
  });

  it('are greater than all before if the counter was set back', async () => {
    await addMany(open(), 35);
    await setCounter(10n);
    expect(await addMany(open(), 2)).to.deep.equal([36n, 37n]);
  });

  for (const last of [-5000n, 5n]) {
    it(`keep ascending in a process that runs while the animals are removed and the counter is set to ${last}`, async () => {
      const catalogue = open();
      const before = await addMany(catalogue, 55);
      await db().collection('pets').deleteMany({});
      await setCounter(last);
      expect([...before, ...(await addMany(catalogue, 5))]).to.satisfy(isAscending);
    });
  }

  it('are beyond the animals that another program stored in the meantime without the counter', async () => {
    const catalogue = open();
    const { id: last } = await catalogue.add(REX);
    await store(...Array.from({ length: 300 }, (_, i) => last + BigInt(i + 1)));
    let id: bigint | undefined;
    const sent = await commandsOf(client(), async () => ({ id } = await catalogue.add(REX)));
    expect(id).to.equal(last + 301n);
    expect(sent.filter(({ name }) => name === 'insert')).to.have.length(2);
  });

  for (const [what, ids, first] of [
    ['whole doubles', [19_999, 20_000], 20_001n],
    ['doubles and int64', [20_000, 30_000n], 30_001n],
    ['int64 and doubles', [20_000n, 30_000], 30_001n],
    ['doubles that are not whole', [20_007.5], 20_008n],
    ['values that are not numbers', ['x', 20_000], 20_001n],
  ] as const) {
    it(`begin beyond the greatest one if the ids of another program are ${what}`, async () => {
      await store(...ids.map((id) => (typeof id === 'number' ? new Double(id) : id)));
      expect((await open().add(REX)).id).to.equal(first);
    });
  }

  it('are none in a process that has some already, once another one has restored the last one', async () => {
    const server = await startDatalessMongodb();
    const catalogue = open(clientOf(server).db());
    server.reply('update', () => ({ ok: 1, n: 1 }));
    server.reply('insert', () => ({ ok: 1, n: 1 }));
    server.reply('findAndModify', () => ({ ok: 1, value: { _id: 'pets', last: 1 } }));
    await catalogue.add(REX);
    server.reply('find', () => cursorOf([{ _id: INT64_MAX, ...REX }]));
    server.refuse({ code: 2, codeName: 'BadValue', errmsg: 'Failed to apply $inc operations' }, ['findAndModify']);
    expect(await rejectionOf(catalogue.add(REX)))
      .to.be.instanceOf(RangeError)
      .with.property('message', `the ids are used up: the greatest one is ${INT64_MAX}`);
  });

  it('are unique if many processes create the counter, and then animals, concurrently', async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, async () => addMany(open(), 10)));
    expect(new Set(ids.flat()).size).to.equal(80);
  });

  it('are given if another process makes the counter at the same time', async () => {
    const server = await startDatalessMongodb();
    const taken = { ok: 1, n: 0, writeErrors: [{ index: 0, code: 11000, errmsg: 'E11000 duplicate key error' }] };
    server.reply('update', () => (server.received('update') === 1 ? taken : { ok: 1, n: 1, nModified: 0 }));
    server.reply('findAndModify', () => ({ ok: 1, value: { _id: 'pets', last: 1 } }));
    server.reply('insert', () => ({ ok: 1, n: 1 }));
    expect(await open(clientOf(server).db()).add(REX)).to.have.property('id', 1n);
  });

  it('are not asked for more than five times if the counter does not advance', async () => {
    const server = await startDatalessMongodb();
    server.refuse({ ok: 1, value: { _id: 'pets', last: 0 } }, ['findAndModify']);
    const dataless = clientOf(server, { monitorCommands: true });
    let error: unknown;
    const sent = await commandsOf(dataless, async () => (error = await rejectionOf(open(dataless.db()).add(REX))));
    expect(error).to.have.property('message', 'the counter of the ids does not advance');
    expect(sent.filter(({ name }) => name === 'findAndModify')).to.have.length(5);
  });
});

describe('the ids of animals in MongoDB, over connections that fail', () => {
  const mongodb = useMongodb();

  /** A catalogue behind a proxy, on a prepared database, and another one beside it. */
  async function openBehindProxy(test: Context): Promise<{
    proxy: TcpProxy;
    catalogue: MongoPetCatalogue;
    other: MongoPetCatalogue;
  }> {
    const db = mongodb.createDatabase();
    await prepareDatabase(db);
    const proxy = await startTcpProxy(mongodb.localPort(test));
    const client = createMongoClient(throughProxy(mongodb.server().url, proxy, db.databaseName), PATIENT);
    endWithTest(async () => client.close());
    return { proxy, catalogue: new MongoPetCatalogue(client.db(), PATIENT), other: new MongoPetCatalogue(db, PATIENT) };
  }

  it('are requested once more if the answer is lost, which leaves a gap', async function () {
    const { proxy, catalogue } = await openBehindProxy(this);
    await catalogue.add(REX);
    let requests = 0;
    proxy.judge((chunk) => (chunk.includes('findAndModify') && ++requests === 1 ? 'lose answer' : 'pass'));
    expect((await catalogue.add(REX)).id).to.satisfy((id: bigint) => id > 1n && id < 5n);
  });

  it('are greater than those that were restored before the call began, although its first request is answered late', async function () {
    const { proxy, catalogue, other } = await openBehindProxy(this);
    await catalogue.add(REX);
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const held = new Promise<void>((isHeld) => {
      let requests = 0;
      proxy.judge((chunk) => {
        if (!chunk.includes('findAndModify') || ++requests > 1) return 'pass';
        isHeld();
        return { until: released };
      });
    });
    const early = catalogue.add(REX);
    await held;
    await other.restore([{ pet: { id: 500n, ...REX } }]);
    // This call shares the second request with the early one, as the first is late.
    const late = await catalogue.add(REX);
    release();
    expect(late.id > 500n).to.equal(true);
    await early;
    expect((await catalogue.add(REX)).id > late.id).to.equal(true);
  });
});
