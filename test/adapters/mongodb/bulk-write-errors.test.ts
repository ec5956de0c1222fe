import { expect } from 'chai';
import type { Document, MongoClient } from 'mongodb';
import { MongoPetCatalogue } from '../../../src/adapters/mongodb/mongo-pet-catalogue.js';
import { startDatalessMongodb, type DatalessMongodb } from '../../support/dataless-mongodb.js';
import { PATIENT } from '../../support/patience.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { startTcpProxy, type Fate, type TcpProxy } from '../../support/tcp-proxy.js';
import { clientOf } from './client-of.js';

const REX = { name: 'Rex', categoryId: 7n } as const;
const DUPLICATE = { index: 0, code: 11000, errmsg: 'E11000 duplicate key error' };
const NO_MAJORITY = { code: 64, codeName: 'WriteConcernTimeout', errmsg: 'waiting for replication timed out' };

const UNAVAILABLE = 'store_unavailable';

/** The driver tells all of this by one class, `MongoBulkWriteError`. */
describe('what an insert into MongoDB is answered', () => {
  let server: DatalessMongodb;
  let proxy: TcpProxy;
  let client: MongoClient;
  let catalogue: MongoPetCatalogue;

  beforeEach(async () => {
    server = await startDatalessMongodb();
    proxy = await startTcpProxy(server.port);
    client = clientOf(proxy, PATIENT);
    catalogue = new MongoPetCatalogue(client.db(), PATIENT);
    let last = 0;
    server.reply('findAndModify', () => ({ ok: 1, value: { _id: 'pets', last: ++last } }));
    server.reply('update', () => ({ ok: 1, n: 1 }));
  });

  /** Answers the inserts, each by the next of these documents, and the last of them again and again. */
  function answerInserts(...answers: Document[]): void {
    server.reply('insert', () => (answers.length > 1 ? answers.shift() : answers[0]) ?? {});
  }

  const creations: Readonly<Record<string, () => Promise<unknown>>> = {
    add: async () => catalogue.add(REX),
    addOnce: async () => catalogue.addOnce(REX, 'key'),
    restore: async () => catalogue.restore([{ pet: { id: 9n, ...REX } }]),
  };

  it('is tried again with another id if the id is taken', async () => {
    answerInserts({ ok: 1, n: 0, writeErrors: [DUPLICATE] }, { ok: 1, n: 1 });
    expect(await catalogue.add(REX)).to.deep.equal({ id: 2n, ...REX });
  });

  it('is tried again if the key is taken but no majority has its animal yet', async () => {
    answerInserts({ ok: 1, n: 0, writeErrors: [DUPLICATE] }, { ok: 1, n: 1 });
    expect(await catalogue.addOnce(REX, 'key')).to.deep.equal({ pet: { id: 2n, ...REX }, replayed: false });
  });

  it('is tried again until the deadline, whose error then has the reason', async () => {
    const hasty = new MongoPetCatalogue(client.db(), { deadlineMs: 500 });
    answerInserts({ ok: 1, n: 0, writeErrors: [DUPLICATE] });
    const error = await rejectionOf(hasty.add(REX));
    expect(error).to.have.property('code', UNAVAILABLE);
    expect(error).to.have.nested.property('cause.message').that.includes('the id is taken, or no majority has');
    answerInserts({ ok: 1, n: 1 });
  });

  it('is tried again by one document for each animal, although its id was taken while it was part of two requests for ids', async () => {
    answerInserts({ ok: 1, n: 0, writeErrors: [DUPLICATE] }, { ok: 1, n: 1 });
    const inserted: number[] = [];
    let release: () => void = () => undefined;
    const fates: Fate[] = [
      { until: new Promise<void>((resolve) => (release = resolve)) },
      { until: new Promise(() => undefined) },
    ];
    proxy.judge((chunk) => {
      if (chunk.includes('insert')) inserted.push(chunk.toString('latin1').split(REX.name).length - 1);
      if (!chunk.includes('findAndModify')) return 'pass';
      if (fates.length === 1) release();
      return fates.shift() ?? 'pass';
    });
    await catalogue.add(REX);
    expect(inserted).to.deep.equal([1, 1]);
  });

  it('fails no creation but the one whose document breaks a rule of the collection', async () => {
    const faults = [DUPLICATE, { index: 1, code: 121, errmsg: 'Document failed validation' }];
    answerInserts({ ok: 1, n: 1, writeErrors: faults }, { ok: 1, n: 1 });
    const [taken, invalid, stored] = await Promise.allSettled([1, 2, 3].map(async () => catalogue.add(REX)));
    expect(invalid).to.have.property('status', 'rejected');
    expect(invalid).to.have.property('reason').that.includes({ code: 121, message: 'Document failed validation' });
    for (const outcome of [taken, stored]) expect(outcome).to.have.property('status', 'fulfilled');
  });

  const RULE = 'Document failed validation';
  const FAILURES: Readonly<Record<string, readonly [begin: () => unknown, code: string | number]>> = {
    'no majority confirms it': [() => answerInserts({ ok: 1, n: 1, writeConcernError: NO_MAJORITY }), UNAVAILABLE],
    'no majority confirms it, although it also has duplicates': [
      () => answerInserts({ ok: 1, n: 0, writeErrors: [DUPLICATE], writeConcernError: { ...NO_MAJORITY, code: 79 } }),
      UNAVAILABLE,
    ],
    'the connection is lost': [
      () => proxy.judge((chunk) => (chunk.includes('insert') ? 'lose answer' : 'pass')),
      UNAVAILABLE,
    ],
    'the server is not the primary any more': [() => server.refuse({ code: 10107 }, ['insert']), UNAVAILABLE],
    'the user is not authorized': [() => server.refuse(undefined, ['insert']), 13],
    'a document breaks a rule of the collection': [
      () => answerInserts({ ok: 1, n: 0, writeErrors: [{ index: 0, code: 121, errmsg: RULE }] }),
      121,
    ],
  };
  for (const [what, [begin, code]] of Object.entries(FAILURES)) {
    for (const [method, create] of Object.entries(creations)) {
      it(`ends ${method} with ${code} if ${what}`, async () => {
        begin();
        const error = await rejectionOf(create());
        expect(error).to.have.property('code', code);
        if (code === 121) expect(error).to.have.property('message', RULE);
      });
    }
  }
});
