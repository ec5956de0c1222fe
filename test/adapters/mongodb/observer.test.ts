import { expect } from 'chai';
import type { Db } from 'mongodb';
import { setTimeout as delay } from 'node:timers/promises';
import { runOperation, type MongoOperation, type MongoOperationName } from '../../../src/adapters/mongodb/operation.js';
import { AnimalStoreError } from '../../../src/domain/errors.js';
import { startDatalessMongodb } from '../../support/dataless-mongodb.js';
import { generateApiKey } from '../../support/generate-api-key.js';
import { PATIENT } from '../../support/patience.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { useMongodb } from '../../support/use-mongodb.js';
import { clientOf } from './client-of.js';
import { Adapters, ANNA, OPERATION_NAMES, OPERATIONS } from './operations.js';

const REX = { name: 'Rex', categoryId: 7n } as const;
const EXCEEDED_TIME_LIMIT = { code: 50, codeName: 'MaxTimeMSExpired', errmsg: 'operation exceeded time limit' };
const UNAUTHORIZED = { code: 13, codeName: 'Unauthorized', errmsg: 'not authorized' };
/** All that the adapter sends, but what it looks indexes up with. */
const COMMANDS = ['find', 'insert', 'update', 'findAndModify'];

/** The three adapters on a database, and what their observer was told. */
class Observed extends Adapters {
  readonly #log: MongoOperation[];

  constructor(db: Db) {
    const log: MongoOperation[] = [];
    super(db, { ...PATIENT, observe: (operation) => log.push(operation) });
    this.#log = log;
  }

  /** The operations of this name, which has one at least. */
  of(name: MongoOperationName): MongoOperation[] {
    const operations = this.#log.filter((operation) => operation.name === name);
    expect(operations, name).not.to.have.length(0);
    return operations;
  }
}

describe('the observer of the operations on MongoDB', () => {
  const mongodb = useMongodb();
  let observed: Observed;

  beforeEach(async () => {
    observed = new Observed(mongodb.createDatabase());
    await observed.catalogue.init();
  });

  for (const name of OPERATION_NAMES) {
    it(`learns of ${name} that succeeded`, async () => {
      const before = performance.now();
      await OPERATIONS[name](observed);
      const [{ outcome, durationMs, ...rest } = { outcome: 'none', durationMs: -1 }] = observed.of(name).slice(-1);
      expect(outcome).to.equal('ok');
      expect(durationMs).to.be.within(0, performance.now() - before);
      expect(rest).to.deep.equal({ name, count: name === 'ids.reserve' ? 100 : 1 });
    });
  }

  it('learns in milliseconds how long an operation took', async () => {
    const durations: number[] = [];
    const settings = { ...PATIENT, observe: ({ durationMs }: MongoOperation) => durations.push(durationMs) };
    await runOperation({ name: 'pets.find' }, settings, async () => delay(50));
    await rejectionOf(runOperation({ name: 'pets.find' }, settings, async () => delay(50).then(() => expect.fail())));
    expect(durations).to.have.length(2);
    for (const durationMs of durations) expect(durationMs).to.be.at.least(45);
  });

  it('learns of pets.add_once that was refused', async () => {
    await observed.catalogue.addOnce(REX, 'order 1');
    const error = await rejectionOf(observed.catalogue.addOnce({ ...REX, name: 'Tom' }, 'order 1'));
    const [, refused] = observed.of('pets.add_once');
    expect(refused).to.include({ outcome: 'refused', count: 1, error });
    expect(error).to.be.instanceOf(AnimalStoreError).with.property('code', 'idempotency_key_reused');
  });

  it('learns of the addition of an existing key record as a success', async () => {
    for (const added of [true, false]) expect(await observed.registry.add(ANNA)).to.equal(added);
    expect(observed.of('keys.add').map(({ outcome }) => outcome)).to.deep.equal(['ok', 'ok']);
  });

  it('learns how many ids each reservation requested', async () => {
    for (let i = 0; i < 100; i++) await observed.catalogue.add(REX);
    const counts = observed.of('ids.reserve').map(({ count }) => count);
    expect(counts[0]).to.equal(100);
    expect(counts[1]).to.be.within(100, 400);
  });

  it('learns how many keys each look-up requested', async () => {
    const made = Array.from({ length: 7 }, generateApiKey);
    await Promise.all(made.map(async (key) => observed.apiKeys.verify(key)));
    const counts = observed.of('keys.look_up').map(({ count }) => count);
    expect(Math.max(...counts)).to.be.at.most(7);
    expect(counts.reduce((sum, count) => sum + count)).to.be.at.least(7);
  });

  it('learns of one operation for each call, however many commands it takes', async () => {
    await observed.catalogue.add(REX);
    await observed.catalogue.add(REX);
    expect(observed.of('pets.add')).to.have.length(2);
  });
});

describe('the observer of the operations on a MongoDB that refuses', () => {
  /** Makes the call of an operation, which the server refuses; resolves to what the observer was told of it. */
  async function refuse(name: MongoOperationName, refusal: object): Promise<MongoOperation[]> {
    const server = await startDatalessMongodb();
    const client = clientOf(server);
    const observed = new Observed(client.db('zoo'));
    server.refuse(refusal, COMMANDS);
    const before = performance.now();
    const error = await rejectionOf(OPERATIONS[name](observed));
    expect(observed.of(name).at(-1)?.error).to.equal(error);
    expect(observed.of(name).at(-1)?.durationMs).to.be.within(0, performance.now() - before);
    return observed.of(name);
  }

  for (const name of OPERATION_NAMES) {
    const count = name === 'ids.reserve' ? 100 : 1;

    it(`learns of ${name} that had no answer in time`, async () => {
      for (const operation of await refuse(name, EXCEEDED_TIME_LIMIT)) {
        expect(operation).to.include({ name, outcome: 'unavailable', count });
        expect(operation.error).to.be.instanceOf(AnimalStoreError).with.property('code', 'store_unavailable');
      }
    });
  }

  for (const [name, attempts] of [
    ['pets.find', 1],
    ['ids.reserve', 3],
    ['keys.look_up', 3],
  ] as const) {
    it(`learns of each attempt at ${name} that had no answer: ${attempts}`, async () => {
      expect(await refuse(name, EXCEEDED_TIME_LIMIT)).to.have.length(attempts);
    });

    it(`learns of ${name} that failed, which is not tried again`, async () => {
      const failed = await refuse(name, UNAUTHORIZED);
      expect(failed.map(({ outcome }) => outcome)).to.deep.equal(['failed']);
      expect(failed[0]?.error).to.have.property('code', 13);
    });
  }
});
