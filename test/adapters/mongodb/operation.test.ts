import { expect } from 'chai';
import { MongoNetworkError, MongoServerError } from 'mongodb';
import { MongoPetCatalogue } from '../../../src/adapters/mongodb/mongo-pet-catalogue.js';
import { runOperation, type Operation } from '../../../src/adapters/mongodb/operation.js';
import { AnimalStoreError } from '../../../src/domain/errors.js';
import type { CallOptions } from '../../../src/domain/call-options.js';
import { startDatalessMongodb } from '../../support/dataless-mongodb.js';
import { listenersOf } from '../../support/listeners-of.js';
import { PATIENT } from '../../support/patience.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { runningTimers } from '../../support/running-timers.js';
import { clientOf } from './client-of.js';

const NEVER = async (): Promise<never> => new Promise(() => undefined);

function run<T>(deadlineMs: number, operate: (operation: Operation) => Promise<T>, options?: CallOptions): Promise<T> {
  return runOperation('pets.find', { deadlineMs, observe: undefined }, operate, options);
}

describe('an operation on MongoDB', () => {
  it('rejects with store_unavailable, with the original as the cause, if the database gives no answer', async () => {
    const error = new MongoNetworkError('connection 3 closed');
    const rejection = await rejectionOf(run(1000, async () => Promise.reject(error)));
    expect(rejection).to.be.instanceOf(AnimalStoreError);
    expect(rejection).to.include({ code: 'store_unavailable', message: 'the store did not answer in time' });
    expect((rejection as Error).cause).to.equal(error);
  });

  it('rejects with the original for everything else', async () => {
    const error = new MongoServerError({ code: 13, errmsg: 'not authorized' });
    expect(await rejectionOf(run(1000, async () => Promise.reject(error)))).to.equal(error);
  });

  it('ends at its deadline, whatever still runs', async () => {
    let operation: Operation | undefined;
    const error = await rejectionOf(run(20, async (given) => NEVER.call((operation = given))));
    expect(error).to.be.instanceOf(AnimalStoreError).with.property('code', 'store_unavailable');
    expect((error as Error).cause).to.have.property('message', 'no answer within 20 ms');
    expect(operation?.isOver).to.equal(true);
  });

  it('rejects at its deadline with what it has met before as the cause', async () => {
    const obstacle = new Error('the id is taken');
    const error = await rejectionOf(run(20, async (operation) => NEVER.call((operation.obstacle = obstacle))));
    expect((error as Error).cause).to.equal(obstacle);
  });

  it('resolves to its result, and leaves no timer behind', async () => {
    const before = runningTimers();
    for (let i = 0; i < 50; i++) expect(await run(60_000, async () => i)).to.equal(i);
    expect(runningTimers() - before).to.be.lessThan(25);
  });
});

describe('an observer of operations on MongoDB that fails', () => {
  const fault = new Error('a fault of the observer');
  const observers: Readonly<Record<string, () => unknown>> = {
    throws: () => {
      throw fault;
    },
    rejects: async () => Promise.reject(fault),
  };
  for (const [how, observe] of Object.entries(observers)) {
    it(`changes no operation that it is told of if it ${how}`, async () => {
      const observed = async <T>(operate: () => Promise<T>): Promise<T> =>
        runOperation('pets.find', { deadlineMs: 20, observe }, operate);
      const error = new Error('not authorized');
      expect(await observed(async () => 1)).to.equal(1);
      expect(await rejectionOf(observed(async () => Promise.reject(error)))).to.equal(error);
      expect(await rejectionOf(observed(NEVER))).to.have.property('code', 'store_unavailable');
    });
  }
});

describe('the signal of the caller of an operation on MongoDB', () => {
  const REASON = new Error('the caller has gone');

  it('ends it with its reason, even if the operation ignores it', async () => {
    const controller = new AbortController();
    const operation = run(60_000, NEVER, controller);
    controller.abort(REASON);
    expect(await rejectionOf(operation)).to.equal(REASON);
  });

  it('ends it with an AbortError if the signal gives no reason, and aborts the signal of the operation', async () => {
    const bare = new EventTarget();
    let operation: Operation | undefined;
    const rejection = rejectionOf(
      run(60_000, async (given) => NEVER.call((operation = given)), { signal: bare as AbortSignal }),
    );
    bare.dispatchEvent(new Event('abort'));
    expect(await rejection).to.have.property('name', 'AbortError');
    expect(operation?.signal?.reason).to.equal(await rejection);
  });

  it('has one listener, however many reads it belongs to', async () => {
    const server = await startDatalessMongodb();
    const catalogue = new MongoPetCatalogue(clientOf(server).db(), PATIENT);
    const controller = new AbortController();
    const listeners = listenersOf(controller.signal);
    const read = async (): Promise<unknown> =>
      Promise.all([catalogue.find(1n, controller), catalogue.list({ limit: 1 }, controller)]);
    await Promise.all(Array.from({ length: 20 }, read));
    expect(listeners).to.include({ added: 1, present: 0 });
  });

  it('prevents it if it is aborted already', async () => {
    let begun = false;
    const operation = run(60_000, async () => (begun = true), { signal: AbortSignal.abort(REASON) });
    expect(await rejectionOf(operation)).to.equal(REASON);
    expect(begun).to.equal(false);
  });

  it('has no listener and leaves no timer once operations have settled', async () => {
    const controller = new AbortController();
    const listeners = listenersOf(controller.signal);
    const before = runningTimers();
    for (let i = 0; i < 50; i++) {
      await run(60_000, async () => i, controller);
      await rejectionOf(run(60_000, async () => Promise.reject(new Error('failed')), controller));
      await rejectionOf(run(1, NEVER, controller));
    }
    expect(listeners).to.include({ added: 150, present: 0 });
    const cancelled = run(60_000, NEVER, controller);
    controller.abort(REASON);
    await rejectionOf(cancelled);
    expect(listeners.present).to.equal(0);
    expect(runningTimers() - before).to.be.lessThan(25);
  });
});
