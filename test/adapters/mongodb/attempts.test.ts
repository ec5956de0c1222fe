import { expect } from 'chai';
import type { MongoClient } from 'mongodb';
import { MongoApiKeys } from '../../../src/adapters/mongodb/api-keys/mongo-api-keys.js';
import { startDatalessMongodb, type DatalessMongodb } from '../../support/dataless-mongodb.js';
import { generateApiKey } from '../../support/generate-api-key.js';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.js';
import { clientOf } from './client-of.js';
import { commandsOf } from './commands-of.js';

/** Longer than a test may take. */
const LONG_MS = 600_000;
const EXCEEDED_TIME_LIMIT = { code: 50, codeName: 'MaxTimeMSExpired', errmsg: 'operation exceeded time limit' };

/** What the server is told of the length of an attempt: a little less, so that its answer comes first. */
const ofAttempt = (ms: number): number => 0.9 * ms;

describe('the attempts at a look-up in MongoDB', () => {
  let server: DatalessMongodb;
  let proxy: TcpProxy;
  let client: MongoClient;
  let keys: MongoApiKeys;

  beforeEach(async () => {
    server = await startDatalessMongodb();
    proxy = await startTcpProxy(server.port);
    client = clientOf(proxy, { query: 'directConnection=true', deadlineMs: LONG_MS, monitorCommands: true });
    await client.connect();
    keys = open(LONG_MS);
  });

  const open = (deadlineMs: number): MongoApiKeys =>
    new MongoApiKeys(client.db(), { deadlineMs, verifyDeadlineMs: LONG_MS });

  /** How long the server may take for each attempt at the look-up of another key, in milliseconds. */
  async function timesOf(of = keys): Promise<number[]> {
    const sent = await commandsOf(client, async () => of.verify(generateApiKey()).catch(() => undefined));
    return sent.map(({ command }) => command['maxTimeMS'] as number);
  }

  it('are one if it is answered', async () => {
    const [first, ...others] = await timesOf();
    expect(first).to.be.within(1, ofAttempt(500));
    expect(others).to.deep.equal([]);
  });

  it('are three, of half a second, a second, and the rest of the time', async () => {
    server.refuse(EXCEEDED_TIME_LIMIT, ['find']);
    const [first, second, third, ...others] = await timesOf();
    expect(first).to.be.within(1, ofAttempt(500));
    expect(second).to.be.within(ofAttempt(500), ofAttempt(1000));
    expect(third).to.be.within(LONG_MS / 2, ofAttempt(LONG_MS));
    expect(others).to.deep.equal([]);
  });

  it('are one if the deadline is as short as the first', async () => {
    server.refuse(EXCEEDED_TIME_LIMIT, ['find']);
    expect(await timesOf(open(500))).to.have.length(1);
  });

  it('are one, with all the time, after a look-up that had no answer, and short ones again after one that had', async () => {
    server.refuse(EXCEEDED_TIME_LIMIT, ['find']);
    await timesOf();
    const [all, ...others] = await timesOf();
    expect(all).to.be.within(LONG_MS / 2, ofAttempt(LONG_MS));
    expect(others).to.deep.equal([]);
    server.refuse({}, []);
    await timesOf();
    expect((await timesOf())[0]).to.be.within(1, ofAttempt(500));
  });

  it('take twice as long as the last answer', async () => {
    const answerMs = 400;
    proxy.delay(answerMs / 2);
    await timesOf();
    proxy.delay(0);
    expect((await timesOf())[0]).to.be.within(ofAttempt(2 * answerMs) - 50, LONG_MS / 2);
  });
});
