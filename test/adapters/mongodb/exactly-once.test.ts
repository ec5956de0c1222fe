import { expect } from 'chai';
import { isUnavailable } from '../../../src/adapters/mongodb/errors.js';
import { prepareDatabase } from '../../../src/adapters/mongodb/preparation.js';
import { endWithTest } from '../../support/cleanup.js';
import { startTcpProxy } from '../../support/tcp-proxy.js';
import { until } from '../../support/until.js';
import { throughProxy, usePrivateServer } from '../../support/use-mongodb.js';
import { meddle, Sender, setCounterBack, storeStranger, type FaultCounts, type OnceCreation } from './exactly-once.js';

/** `ONCE_CREATIONS=1000 npx mocha test/adapters/mongodb/exactly-once.test.ts` is the whole proof; this is a short one. */
const CREATIONS = Number(process.env['ONCE_CREATIONS'] ?? 16);
/** Of the senders, two send most keys, and the third sends other animals under some of them. */
const SENDERS = 3;
const isOfSender = (key: number, sender: number): boolean => key % SENDERS === sender || key % 2 === 0;
const variantOf = (key: number, sender: number): number => (key % 8 === 0 ? sender : 1);

/** After so many answers, or a few more, the database is restarted, and paused half-way between. */
const EVERY = 16;
const PAUSE_MS = 500;

/** How long the test's own commands may take, in milliseconds: a server that has just come back may never answer one. */
const COMMAND_MS = 4000;

describe('MongoPetCatalogue under all faults together', function () {
  this.timeout(120_000 + CREATIONS * 3000);
  const { server, createClient } = usePrivateServer();
  /** The present step of the test, to report if the test hangs. */
  let step = '';
  let senders: readonly Sender[] = [];

  afterEach(function () {
    if (this.currentTest?.state !== 'failed') return;
    console.log(`      it failed at ${new Date().toISOString()} while it ${step}`);
    for (const sender of senders) console.log(`      ${sender.count} answers; then:\n${sender.lastFailures}`);
  });

  it(`stores ${CREATIONS} animals for ${CREATIONS} idempotency keys, however often each is sent`, async () => {
    const name = 'once';
    const counts: FaultCounts = { faults: 0, kills: 0, setBacks: 0, strangers: 0 };
    let restarts = 0;
    const db = createClient().db(name, { timeoutMS: COMMAND_MS });
    await prepareDatabase(db);
    const proxy = await startTcpProxy(server().port);
    const meddling = meddle(proxy, counts);
    // The driver finds the server again sooner than usual, so that more faults fit into the time.
    const url = `${throughProxy(server().url, proxy, name)}&heartbeatFrequencyMS=300`.replace(
      /(minH\w+)=\d+/,
      '$1=800',
    );
    const keys = Array.from({ length: CREATIONS }, (_, key) => key);
    senders = Array.from({ length: SENDERS }, (_, sender) => {
      const creations = keys
        .filter((key) => isOfSender(key, sender))
        .map((key): OnceCreation => ({ key, variant: variantOf(key, sender) }));
      return new Sender(url, creations, counts);
    });

    // The more is answered, the more is disturbed: a busy machine has as many faults as an idle one.
    const done = Promise.all(senders.map(async (sender) => sender.done));
    const progress = { isOver: false };
    const end = (): void => void (progress.isOver = true);
    done.then(end, end);
    endWithTest(end);
    const answered = (): number => senders.reduce((sum, sender) => sum + sender.count, 0);
    /** What the test does to the data finds the database gone now and then, too. */
    const unlessGone = async (change: Promise<void>): Promise<void> =>
      change.catch((error: unknown) => {
        if (!isUnavailable(error)) throw error;
      });
    const disturb = async (turn: number): Promise<void> => {
      step = 'set the counter back';
      await unlessGone(setCounterBack(db, counts));
      step = 'stored an animal of another program';
      await unlessGone(storeStranger(db, counts));
      if (turn % EVERY === 1) {
        restarts++;
        step = 'stopped the database';
        await server().stop();
        step = 'started the database';
        await server().start();
      } else if (turn % EVERY === EVERY / 2) {
        step = 'paused the database';
        await server().pause();
        const paused = performance.now();
        await until(() => performance.now() - paused > PAUSE_MS);
        server().resume();
      }
    };
    for (let turn = 0, before = -1; !progress.isOver; turn++) {
      step = `waited for more than ${before} answers, in turn ${turn}`;
      await until(() => progress.isOver || answered() > before);
      before = answered();
      await disturb(turn);
    }
    step = 'waited for the processes';
    await done;
    await meddling.untilNoneIsLate();

    step = 'compared what is stored with the answers';
    const answers = senders.flatMap((sender) => sender.answers);
    const attempts = answers.reduce((sum, answer) => sum + answer.attempts, 0);
    const { faults, kills, setBacks, strangers } = counts;
    console.log(
      `      ${answers.length} creations of ${CREATIONS} texts answered after ${attempts} attempts, over ${faults} faults of the ` +
        `network, ${kills} kills of a process, ${restarts} restarts of the database, ${setBacks} set-backs of the counter ` +
        `and ${strangers} strangers`,
    );
    const pets = await db
      .collection<{ _id: bigint; name: string; categoryId: bigint }>('pets', { useBigInt64: true })
      .find({ name: { $ne: 'stranger' } })
      .toArray();
    expect(pets.map((pet) => pet.name).sort()).to.deep.equal(keys.map((key) => `animal ${key}`).sort());
    for (const { key, variant, id } of answers) {
      const stored = pets.find((pet) => pet.name === `animal ${key}`);
      if (id === undefined) expect(stored?.categoryId, `the animal of ${key}`).not.to.equal(BigInt(variant));
      else expect([String(stored?._id), stored?.categoryId]).to.deep.equal([id, BigInt(variant)]);
    }
    expect(Math.min(restarts, setBacks)).to.be.greaterThan(0);
  });
});
