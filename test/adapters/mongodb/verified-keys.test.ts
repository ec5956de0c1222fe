import { expect } from 'chai';
import type { BSON, MongoClient } from 'mongodb';
import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { ApiKeyDocument } from '../../../src/adapters/mongodb/mongo-api-key-registry.js';
import { API_KEY_LIMITS, MongoApiKeys } from '../../../src/adapters/mongodb/mongo-api-keys.js';
import type { OperationOptions } from '../../../src/adapters/mongodb/operation.js';
import { startDatalessMongodb, type DatalessMongodb } from '../../support/dataless-mongodb.js';
import { generateApiKey } from '../../support/generate-api-key.js';
import { PATIENT_MS } from '../../support/patience.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { runningTimers } from '../../support/running-timers.js';
import { SLACK_MS } from '../../support/slack.js';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.js';
import { until } from '../../support/until.js';
import { clientOf } from './client-of.js';
import { commandsOf } from './commands-of.js';

const LOOK_UPS = API_KEY_LIMITS.concurrentLookUps;
/** Enough for more look-ups. */
const CONNECTIONS = LOOK_UPS + 8;
/** Longer than a test may take. */
const FOR_EVER_MS = 600_000;
const ANNA = { name: 'anna' };

describe('the keys that MongoApiKeys verifies', () => {
  let server: DatalessMongodb;
  let proxy: TcpProxy;
  let client: MongoClient;
  let documents: ApiKeyDocument[];
  /** The filters of the queries that were sent. A query that is sent again counts once. */
  let queries: Set<string>;

  beforeEach(async () => {
    server = await startDatalessMongodb();
    proxy = await startTcpProxy(server.port);
    documents = [];
    server.answer('find', ({ filter }) => {
      const asked = (filter as { readonly digest: BSON.Binary }).digest.buffer;
      return documents.filter(({ digest }) => Buffer.compare(digest, asked) === 0);
    });
    await connect();
  });

  /** Opens a client whose operations wait for as long as no answer comes. */
  async function connect(minPoolSize = 1): Promise<void> {
    queries = new Set();
    let connections = 0;
    client = clientOf(proxy, { monitorCommands: true, minPoolSize, connectTimeoutMS: FOR_EVER_MS });
    client.on('connectionReady', () => connections++);
    client.on('commandStarted', ({ commandName, command }) => {
      if (commandName === 'find') queries.add(JSON.stringify(command['filter']));
    });
    await client.connect();
    await until(() => connections >= minPoolSize);
  }

  afterEach(() => {
    proxy.pass();
    proxy.hangUp();
  });

  const open = ({ deadlineMs, observe, ...limits }: OperationOptions & Partial<typeof API_KEY_LIMITS>): MongoApiKeys =>
    new MongoApiKeys(client.db(), { deadlineMs, observe }, limits);

  function issue(name = 'anna', expiry: Pick<ApiKeyDocument, 'expiresAt'> = {}): string {
    const key = generateApiKey();
    const digest = hash('sha256', key, 'buffer');
    documents.push({ _id: `of ${key}`, digest, name, createdAt: new Date(), ...expiry });
    return key;
  }

  function revoke(key: string): void {
    documents = documents.map((each) => (each._id === `of ${key}` ? { ...each, revokedAt: new Date() } : each));
  }

  /** Resolves once a call has found a key valid, whatever the calls before ended with. */
  const untilAccepted = async (keys: MongoApiKeys, key: string): Promise<unknown> =>
    until(async () => keys.verify(key).then(Boolean, () => false));

  const lookUpsOf = async (doing: () => Promise<unknown>): Promise<number> => (await commandsOf(client, doing)).length;

  describe('and does not remember', () => {
    it('are looked up by a limited number of concurrent queries while more keys arrive', async () => {
      await connect(CONNECTIONS);
      const keys = open({ waitMs: FOR_EVER_MS });
      proxy.swallow();
      for (let i = 0; i < 2 * CONNECTIONS; i++) {
        keys.verify(generateApiKey()).catch(() => undefined);
        await aFewTurns();
      }
      await until(() => queries.size >= LOOK_UPS);
      expect(queries.size).to.equal(LOOK_UPS);
    });

    it('are not looked up if they wait for a query that has no answer', async () => {
      await connect(CONNECTIONS);
      const keys = open({ waitMs: FOR_EVER_MS, deadlineMs: 2000 });
      proxy.swallow();
      const calls = Array.from({ length: CONNECTIONS }, async () => rejectionOf(keys.verify(generateApiKey())));
      for (const error of await Promise.all(calls)) expect(error).to.have.property('code', 'store_unavailable');
      expect(queries.size).to.equal(LOOK_UPS);
    });

    it('are looked up once for concurrent calls, except one beyond maxLookUps, which is refused', async () => {
      const keys = open({ waitMs: PATIENT_MS, maxLookUps: 2 });
      const [one, two, three] = [generateApiKey(), generateApiKey(), generateApiKey()];
      const accepted = [one, two, one].map(async (key) => keys.verify(key));
      const error = (await rejectionOf(keys.verify(three))) as Error;
      expect(error).to.include({ code: 'store_unavailable', message: 'too many API keys are being looked up' });
      expect(await Promise.all(accepted)).to.deep.equal([undefined, undefined, undefined]);
      expect(queries.size).to.equal(2);
      expect(await keys.verify(three)).to.equal(undefined);
    });

    it('are looked up once, for later calls too, if that takes longer than a call waits', async () => {
      const keys = open({ waitMs: 1, deadlineMs: FOR_EVER_MS, maxLookUps: 1 });
      const key = generateApiKey();
      proxy.swallow();
      for (let i = 0; i < 3; i++) {
        expect(await rejectionOf(keys.verify(key))).to.have.property('message', 'the API key was not verified in time');
      }
      const message = 'too many API keys are being looked up';
      expect(await rejectionOf(keys.verify(generateApiKey()))).to.have.property('message', message);
      await until(() => queries.size > 0);
      expect(queries.size).to.equal(1);
    });

    it('change nothing for the others as a flood of made-up ones, few of which reach the database', async () => {
      const keys = open({ maxLookUps: 300, refreshAfterMs: 0, maxAgeMs: 0, waitMs: PATIENT_MS });
      const [key, revoked] = [issue(), issue('ben')];
      expect(await keys.verify(key)).to.deep.equal(ANNA);
      expect(await keys.verify(revoked)).to.deep.equal({ name: 'ben' });
      revoke(revoked);
      let refused = 0;
      const lookUps = await lookUpsOf(async () => {
        const flood = Array.from({ length: 2000 }, async () => {
          await keys.verify(generateApiKey()).catch((error: unknown) => {
            expect(error).to.have.property('code', 'store_unavailable');
            refused++;
          });
        });
        expect(await Promise.all([keys.verify(key), keys.verify(revoked)])).to.deep.equal([ANNA, undefined]);
        await Promise.all(flood);
      });
      expect(refused).to.be.greaterThan(1000);
      expect(lookUps).to.be.lessThan(310);
    });

    it('leave no timer behind once a call has been answered', async () => {
      const keys = open({ waitMs: FOR_EVER_MS });
      const before = runningTimers();
      for (let i = 0; i < 50; i++) await keys.verify(generateApiKey());
      expect(runningTimers() - before).to.be.lessThan(25);
    });
  });

  describe('and remembers', () => {
    const NEVER_OLD = { refreshAfterMs: FOR_EVER_MS, maxAgeMs: FOR_EVER_MS, maxStaleMs: FOR_EVER_MS };

    it('are as many as maxKeys, those confirmed last', async () => {
      const keys = open({ ...NEVER_OLD, maxKeys: 2 });
      const [anna, ben, cleo] = [issue(), issue(), issue()];
      for (const key of [anna, ben, cleo]) await keys.verify(key);
      expect(await lookUpsOf(async () => Promise.all([cleo, ben].map(async (key) => keys.verify(key))))).to.equal(0);
      expect(await lookUpsOf(async () => keys.verify(anna))).to.be.greaterThan(0);
    });

    it('are as many as maxKeys, those refreshed last', async () => {
      let lookUps = 0;
      const keys = open({ ...NEVER_OLD, maxKeys: 2, refreshAfterMs: 0, observe: () => lookUps++ });
      const [anna, ben, cleo] = [issue(), issue('ben'), issue('cleo')];
      for (const key of [anna, ben, anna]) await keys.verify(key);
      await until(() => lookUps === 3);
      await keys.verify(cleo);
      proxy.swallow();
      expect(await Promise.race([keys.verify(anna), aFewTurns()])).to.deep.equal(ANNA);
    });

    it('are as old as their question, not as its answer', async () => {
      const keys = open({ ...NEVER_OLD, waitMs: FOR_EVER_MS, refreshAfterMs: 200, maxAgeMs: 200 });
      const key = issue();
      proxy.delay(200);
      await keys.verify(key);
      proxy.delay(0);
      expect(await lookUpsOf(async () => keys.verify(key))).to.equal(1);
    });

    it('give a principal that no caller can change for the others', async () => {
      const keys = open(NEVER_OLD);
      const key = issue();
      Reflect.set((await keys.verify(key)) ?? {}, 'name', 'ben');
      expect(await keys.verify(key)).to.deep.equal(ANNA);
    });

    it('are refreshed in the background, so that no call waits for a silent store', async () => {
      const keys = open({ ...NEVER_OLD, refreshAfterMs: 0, waitMs: FOR_EVER_MS });
      const key = issue();
      await keys.verify(key);
      proxy.swallow();
      expect(await keys.verify(key)).to.deep.equal(ANNA);
    });

    it('are accepted without waiting again once a call has found the store silent', async () => {
      const maxAgeMs = 500;
      const keys = open({ ...NEVER_OLD, refreshAfterMs: 0, maxAgeMs, deadlineMs: 500 });
      const key = issue();
      await keys.verify(key);
      proxy.swallow();
      await passing(maxAgeMs);
      expect(await keys.verify(key)).to.deep.equal(ANNA);
      expect(await Promise.race([keys.verify(key), aFewTurns()])).to.deep.equal(ANNA);
    });

    it('are asked for again once a silent store answers, so that a revoked one stops working', async () => {
      const limits = { refreshAfterMs: 0, maxAgeMs: 0, maxStaleMs: FOR_EVER_MS, waitMs: FOR_EVER_MS };
      const [keys, key] = [open({ ...limits, deadlineMs: 500 }), issue()];
      await untilAccepted(keys, key);
      proxy.swallow();
      expect(await keys.verify(key)).to.deep.equal(ANNA);
      revoke(key);
      proxy.pass();
      await until(async () => (await keys.verify(key)) === undefined);
    });

    it('are no longer accepted if the store is silent for longer than they are remembered', async () => {
      const limits = { refreshAfterMs: 0, maxAgeMs: 0, maxStaleMs: 300, waitMs: 300 };
      const keys = open({ ...limits, deadlineMs: FOR_EVER_MS });
      const key = issue();
      await untilAccepted(keys, key);
      proxy.swallow();
      await passing(limits.maxStaleMs);
      expect(await rejectionOf(keys.verify(key))).to.have.property('message', 'the API key was not verified in time');
    });

    it('are not accepted beyond their expiry by a silent store, by the call that finds it silent or by those after it', async () => {
      const limits = { refreshAfterMs: 0, maxAgeMs: 0, maxStaleMs: FOR_EVER_MS, deadlineMs: 300 };
      const expiresAt = new Date(Date.now() + 2000);
      const [keys, key] = [open(limits), issue('anna', { expiresAt })];
      await untilAccepted(keys, key);
      proxy.swallow();
      await until(() => Date.now() >= Number(expiresAt));
      for (let i = 0; i < 2; i++) expect(await keys.verify(key)).to.equal(undefined);
    });

    it('end at their expiry, without a look-up', async () => {
      const expiresAt = new Date(Date.now() + 3000);
      const [keys, key] = [open(NEVER_OLD), issue('anna', { expiresAt })];
      expect(await keys.verify(key)).to.deep.equal(ANNA);
      const lookUps = await lookUpsOf(async () => until(async () => (await keys.verify(key)) === undefined));
      expect(Date.now()).to.be.within(Number(expiresAt), Number(expiresAt) + SLACK_MS);
      expect(lookUps).to.equal(0);
    });

    it('end within 5 seconds of their revocation, with few look-ups', async () => {
      const [keys, key] = [open({}), issue()];
      const lookUps = await lookUpsOf(async () => {
        expect(await keys.verify(key)).to.deep.equal(ANNA);
        revoke(key);
        expect(await until(async () => (await keys.verify(key)) === undefined)).to.be.lessThan(5000 + SLACK_MS);
      });
      expect(lookUps).to.be.lessThan(10);
      expect(await keys.verify(key)).to.equal(undefined);
    });

    it('are not accepted if the store refuses to look them up again', async () => {
      const [keys, key] = [open({ refreshAfterMs: 0, maxAgeMs: 0 }), issue()];
      expect(await keys.verify(key)).to.deep.equal(ANNA);
      server.refuse(undefined, ['find']);
      expect(await rejectionOf(keys.verify(key))).to.have.property('code', 13);
    });
  });

  describe('on a store each of whose answers takes longer than a call waits', () => {
    const [ANSWER_MS, WAIT_MS] = [2200, 2000];
    let keys: MongoApiKeys;
    let key: string;

    beforeEach(async () => {
      // A key stops working because of an answer, or not at all.
      keys = open({ waitMs: WAIT_MS, maxStaleMs: FOR_EVER_MS });
      key = issue();
      expect(await keys.verify(key)).to.deep.equal(ANNA);
      proxy.delay(ANSWER_MS / 2);
    });

    it('end within 5 seconds of their revocation', async () => {
      revoke(key);
      // A key that is not remembered any more is unknown, and the answer about it takes too long for a call.
      const isAccepted = async (): Promise<boolean> =>
        keys.verify(key).then(Boolean, (error: unknown) => {
          expect(error).to.have.property('code', 'store_unavailable');
          return false;
        });
      expect(await until(async () => !(await isAccepted()))).to.be.lessThan(5000 + SLACK_MS);
    });

    it('are not accepted if they were revoked while nobody used them', async () => {
      proxy.delay(0);
      const idle = open({ refreshAfterMs: 0, maxAgeMs: 100, waitMs: WAIT_MS, maxStaleMs: FOR_EVER_MS });
      expect(await idle.verify(key)).to.deep.equal(ANNA);
      proxy.delay(ANSWER_MS / 2);
      revoke(key);
      await passing(100);
      expect(await idle.verify(key)).to.equal(undefined);
    });

    it('keep being accepted', async () => {
      const start = performance.now();
      await until(async () => {
        expect(await keys.verify(key)).to.deep.equal(ANNA);
        return performance.now() - start > 3 * ANSWER_MS;
      });
    });

    it('are accepted as soon as the first answer about them is there', async () => {
      const unknown = issue('ben');
      expect(await rejectionOf(keys.verify(unknown))).to.have.property('code', 'store_unavailable');
      await untilAccepted(keys, unknown);
    });
  });
});

async function aFewTurns(): Promise<string> {
  for (let i = 0; i < 5; i++) await setImmediate();
  return 'the call waits';
}

async function passing(ms: number): Promise<void> {
  const start = performance.now();
  await until(() => performance.now() - start > ms);
}
