import { expect } from 'chai';
import {
  MongoClientClosedError,
  MongoNetworkError,
  MongoNetworkTimeoutError,
  MongoNotConnectedError,
  MongoOperationTimeoutError,
  MongoServerError,
  MongoTopologyClosedError,
  MongoWriteConcernError,
} from 'mongodb';
import { lookup } from 'node:dns/promises';
import { withDeadline } from '../../../src/adapters/mongodb/operation.js';
import { meansLostConnection, meansNoAnswer } from '../../../src/adapters/mongodb/unavailable-errors.js';
import { AnimalStoreError } from '../../../src/domain/errors.js';
import { listenersOf } from '../../support/listeners-of.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { runningTimers } from '../../support/running-timers.js';
import { until } from '../../support/until.js';

const NO_ANSWER: Record<string, Error> = {
  'a network error': new MongoNetworkError('connection 3 closed'),
  'a network time-out': new MongoNetworkTimeoutError('connection timed out'),
  'a driver that timed out': new MongoOperationTimeoutError('timed out'),
  'a client closed meanwhile': new MongoClientClosedError(),
  'a client that is closed': new MongoNotConnectedError('Client must be connected before running operations'),
  'a topology that is closed': new MongoTopologyClosedError(),
  'a write that no majority confirmed in time': new MongoWriteConcernError({
    ok: 1,
    writeConcernError: { code: 64, errmsg: 'waiting for replication timed out' },
  }),
  'a write that no majority confirmed for another reason': new MongoWriteConcernError({
    ok: 1,
    writeConcernError: { code: 79, errmsg: 'no write concern mode named x' },
  }),
  'a server that is not the primary': new MongoServerError({ code: 10107, errmsg: 'not primary' }),
  'a primary that stepped down': new MongoServerError({ code: 189, errmsg: 'stepped down' }),
  'a server that shuts down': new MongoServerError({ code: 11600, errmsg: 'interrupted at shutdown' }),
  'a server that ran out of time': new MongoServerError({ code: 50, errmsg: 'operation exceeded time limit' }),
  'an operation that an operator ended': new MongoServerError({ code: 11601, errmsg: 'operation was interrupted' }),
  'a plan that the server gave up': new MongoServerError({ code: 175, errmsg: 'query plan killed' }),
  'a server that sheds load': new MongoServerError({ code: 462, errorLabels: ['SystemOverloadedError'] }),
};

const ANSWERS: Record<string, Error> = {
  'a taken key': new MongoServerError({ code: 11000, errmsg: 'E11000 duplicate key' }),
  'a user without the right': new MongoServerError({ code: 13, errmsg: 'not authorized' }),
  'a wrong password': new MongoServerError({ code: 18, errmsg: 'Authentication failed.' }),
  'a hint at an index that is not there': new MongoServerError({ code: 2, errmsg: 'bad hint' }),
  "a programmer's mistake": new TypeError('x is not a function'),
};

describe('the errors of the driver', () => {
  for (const [what, error] of Object.entries(NO_ANSWER)) {
    it(`become store_unavailable for ${what}, with the original as the cause`, async () => {
      const rejection = await rejectionOf(withDeadline(1000, async () => Promise.reject(error)));
      expect(rejection).to.be.instanceOf(AnimalStoreError);
      expect(rejection).to.include({ code: 'store_unavailable', message: 'the store did not answer in time' });
      expect((rejection as Error).cause).to.equal(error);
    });
  }

  for (const [what, error] of Object.entries(ANSWERS)) {
    it(`stay unchanged for ${what}`, async () => {
      expect(await rejectionOf(withDeadline(1000, async () => Promise.reject(error)))).to.equal(error);
    });
  }

  it('count as no answer with each code for which the specification of retryable reads asks for another attempt', () => {
    const codes = [6, 7, 89, 91, 134, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436];
    const unknown = codes.filter((code) => !meansNoAnswer(new MongoServerError({ code, errmsg: 'not now' })));
    expect(unknown).to.deep.equal([]);
  });

  it('count as no answer if no connection was free in time', () => {
    const error = Object.assign(new Error('timed out'), { name: 'MongoWaitQueueTimeoutError' });
    expect(meansNoAnswer(error)).to.equal(true);
  });

  it('count as no answer if a name does not resolve', async () => {
    expect(meansNoAnswer(await rejectionOf(lookup('no-such-host.invalid')))).to.equal(true);
  });
});

describe('an error of the network or of a file', () => {
  const errorWith = (members: object): Error => Object.assign(new Error('it failed'), members);

  for (const [isExpected, members] of [
    [true, { syscall: 'connect' }],
    [true, { code: 'ECONNRESET', syscall: 'read' }],
    [true, { code: 'EISDIR', syscall: 'write' }],
    [true, { code: 'EPIPE' }],
    [true, { code: 'ERR_STREAM_DESTROYED' }],
    [false, { code: 'ERR_INVALID_ARG_TYPE' }],
    [false, { code: 'ENOENT', syscall: 'open' }],
    [false, { code: 'EISDIR', syscall: 'read' }],
    [false, { code: 13 }],
  ] as const) {
    it(`${isExpected ? 'counts' : 'does not count'} as no answer with ${JSON.stringify(members)}`, () => {
      expect(meansNoAnswer(errorWith(members))).to.equal(isExpected);
    });
  }

  it('means a lost connection also as the cause of store_unavailable', () => {
    const lost = new MongoNetworkError('connection 3 closed');
    expect(meansLostConnection(new AnimalStoreError('store_unavailable', 'no answer', { cause: lost }))).to.equal(true);
    expect(meansLostConnection(new AnimalStoreError('store_unavailable', 'no answer'))).to.equal(false);
  });
});

describe('withDeadline', () => {
  it('gives each call of the driver a little less than the remaining time', async () => {
    const { maxTimeMS } = await withDeadline(60_000, async ({ startCall }) => Promise.resolve(startCall()));
    expect(maxTimeMS).to.be.within(30_000, 59_999);
  });

  it('starts no call after it has passed', async () => {
    let late: unknown;
    const operation = withDeadline(20, async ({ signal, startCall }) => {
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      late = await rejectionOf(Promise.resolve().then(startCall));
    });
    const error = await rejectionOf(operation);
    await until(() => late !== undefined);
    expect(late).to.equal(error);
  });

  it('ends an operation even if it ignores the signal', async () => {
    let aborted = false;
    const error = await rejectionOf(
      withDeadline(20, async ({ signal }) => {
        signal.addEventListener('abort', () => (aborted = true));
        return new Promise(() => undefined);
      }),
    );
    expect(error).to.be.instanceOf(AnimalStoreError).with.property('code', 'store_unavailable');
    expect((error as Error).cause).to.have.property('message', 'no answer within 20 ms');
    expect(aborted).to.equal(true);
  });

  it('resolves to what the operation does, and leaves no timer behind', async () => {
    const before = runningTimers();
    for (let i = 0; i < 50; i++) expect(await withDeadline(60_000, async () => i)).to.equal(i);
    expect(runningTimers() - before).to.be.lessThan(25);
  });
});

describe('the signal of the caller', () => {
  const REASON = new Error('the caller has gone');

  it('ends an operation with its reason, even one that ignores it, and the calls of the driver', async () => {
    const controller = new AbortController();
    let given: AbortSignal | undefined;
    const operation = withDeadline(
      60_000,
      async ({ signal }) => {
        given = signal;
        return new Promise(() => undefined);
      },
      controller,
    );
    controller.abort(REASON);
    expect(await rejectionOf(operation)).to.equal(REASON);
    expect(given?.reason).to.equal(REASON);
  });

  it('prevents the operation if it is aborted already', async () => {
    let begun = false;
    const operation = withDeadline(60_000, async () => (begun = true), { signal: AbortSignal.abort(REASON) });
    expect(await rejectionOf(operation)).to.equal(REASON);
    expect(begun).to.equal(false);
  });

  it('has no listener and leaves no timer once operations have settled', async () => {
    const controller = new AbortController();
    const listeners = listenersOf(controller.signal);
    const before = runningTimers();
    for (let i = 0; i < 50; i++) {
      await withDeadline(60_000, async () => i, controller);
      await rejectionOf(withDeadline(60_000, async () => Promise.reject(new Error('failed')), controller));
      await rejectionOf(withDeadline(1, async () => new Promise(() => undefined), controller));
    }
    expect(listeners).to.include({ added: 150, present: 0 });
    const cancelled = withDeadline(60_000, async () => new Promise(() => undefined), controller);
    controller.abort(REASON);
    await rejectionOf(cancelled);
    expect(listeners.present).to.equal(0);
    expect(runningTimers() - before).to.be.lessThan(25);
  });
});
