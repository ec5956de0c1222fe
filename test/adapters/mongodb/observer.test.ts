import { expect } from 'chai';
import type { Db } from 'mongodb';
import type { MongoOperation, MongoOperationName } from '../../../src/adapters/mongodb/operation.js';
import { prepareDatabase } from '../../../src/adapters/mongodb/preparation.js';
import { AnimalStoreError } from '../../../src/domain/errors.js';
import { startDatalessMongodb } from '../../support/dataless-mongodb.js';
import { PATIENT } from '../../support/patience.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { useMongodb } from '../../support/use-mongodb.js';
import { clientOf } from './client-of.js';
import { Adapters, OPERATION_NAMES, OPERATIONS } from './operations.js';

const REX = { name: 'Rex', categoryId: 7n } as const;
const EXCEEDED_TIME_LIMIT = { code: 50, codeName: 'MaxTimeMSExpired', errmsg: 'operation exceeded time limit' };

/** The three adapters on a database, and what their observer was told. */
class Observed extends Adapters {
  readonly #log: MongoOperation[];

  constructor(db: Db) {
    const log: MongoOperation[] = [];
    super(db, { ...PATIENT, observe: (operation) => log.push(operation) });
    this.#log = log;
  }

  of(name: MongoOperationName): MongoOperation[] {
    return this.#log.filter((operation) => operation.name === name);
  }
}

describe('the observer of the operations on MongoDB', () => {
  const mongodb = useMongodb();
  let observed: Observed;

  beforeEach(async () => {
    const db = mongodb.createDatabase();
    await prepareDatabase(db);
    observed = new Observed(db);
  });

  for (const name of OPERATION_NAMES) {
    it(`learns of ${name} that succeeded, and how many milliseconds it took`, async () => {
      const before = performance.now();
      await OPERATIONS[name](observed);
      const operation = observed.of(name).at(-1);
      expect(operation).to.deep.equal({ name, outcome: 'ok', durationMs: operation?.durationMs });
      expect(operation?.durationMs).to.be.within(0, performance.now() - before);
    });
  }

  it('learns of pets.add_once that was refused', async () => {
    await observed.catalogue.addOnce(REX, 'order 1');
    const error = await rejectionOf(observed.catalogue.addOnce({ ...REX, name: 'Tom' }, 'order 1'));
    expect(observed.of('pets.add_once')[1]).to.include({ outcome: 'refused', error });
    expect(error).to.be.instanceOf(AnimalStoreError).with.property('code', 'idempotency_key_reused');
  });
});

describe('the observer of the operations on a MongoDB that refuses', () => {
  for (const name of OPERATION_NAMES) {
    for (const [outcome, refusal, code] of [
      ['unavailable', EXCEEDED_TIME_LIMIT, 'store_unavailable'],
      ['failed', undefined, 13],
    ] as const) {
      it(`learns of ${name} that is ${outcome}`, async () => {
        const server = await startDatalessMongodb();
        const observed = new Observed(clientOf(server).db('zoo'));
        server.refuse(refusal, ['find', 'insert', 'update', 'findAndModify']);
        const error = await rejectionOf(OPERATIONS[name](observed));
        expect(error).to.have.property('code', code);
        expect(observed.of(name)).to.have.length(1);
        expect(observed.of(name)[0]).to.include({ outcome, error });
      });
    }
  }
});
