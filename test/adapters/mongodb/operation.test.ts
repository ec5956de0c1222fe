import { expect } from 'chai';
import type { BoundedCall } from '../../../src/adapters/kit/bounded-call.js';
import { MongoPetCatalogue } from '../../../src/adapters/mongodb/mongo-pet-catalogue.js';
import { runOperation } from '../../../src/adapters/mongodb/operation.js';
import { startDatalessMongodb } from '../../support/dataless-mongodb.js';
import { listenersOf } from '../../support/listeners-of.js';
import { PATIENT } from '../../support/patience.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { runningTimers } from '../../support/running-timers.js';
import { startTcpProxy } from '../../support/tcp-proxy.js';
import { clientOf } from './client-of.js';

const NEVER = async (): Promise<never> => new Promise(() => undefined);

function run<T>(deadlineMs: number, operate: (operation: BoundedCall) => Promise<T>): Promise<T> {
  return runOperation('pets.find', { deadlineMs, observe: undefined }, operate);
}

describe('an operation on MongoDB', () => {
  it('ends at its deadline, whatever still runs', async () => {
    let operation: BoundedCall | undefined;
    const error = await rejectionOf(run(20, async (given) => NEVER.call((operation = given))));
    expect(error).to.include({ code: 'store_unavailable', message: 'the store did not answer in time' });
    expect(error).to.have.nested.property('cause.message', 'no answer within 20 ms');
    expect(operation?.isOver).to.equal(true);
  });

  it('leaves no timer behind', async () => {
    const before = runningTimers();
    for (let i = 0; i < 50; i++) {
      await run(60_000, async () => i);
      await rejectionOf(run(60_000, async () => Promise.reject(new Error('failed'))));
    }
    expect(runningTimers() - before).to.be.lessThan(25);
  });

  const observers: Readonly<Record<string, () => unknown>> = {
    throws: () => {
      throw new Error('a fault of the observer');
    },
    rejects: async () => Promise.reject(new Error('a fault of the observer')),
  };
  for (const [how, observe] of Object.entries(observers)) {
    it(`is not changed by an observer that ${how}`, async () => {
      const observed = async <T>(operate: () => Promise<T>): Promise<T> =>
        runOperation('pets.find', { deadlineMs: 20, observe }, operate);
      const error = new Error('not authorized');
      expect(await observed(async () => 1)).to.equal(1);
      expect(await rejectionOf(observed(async () => Promise.reject(error)))).to.equal(error);
      expect(await rejectionOf(observed(NEVER))).to.have.property('code', 'store_unavailable');
    });
  }
});

describe('the signal of reads on MongoDB', () => {
  const reasons: Readonly<Record<string, unknown>> = {
    'an error that would mean "no answer" of a database': Object.assign(new Error('left'), { code: 'ECONNRESET' }),
    'a text': 'the caller has gone',
  };
  for (const [what, reason] of Object.entries(reasons)) {
    it(`ends a read with its reason: ${what}`, async () => {
      const proxy = await startTcpProxy((await startDatalessMongodb()).port);
      const outcomes: string[] = [];
      const observe = ({ outcome }: { readonly outcome: string }): number => outcomes.push(outcome);
      const catalogue = new MongoPetCatalogue(clientOf(proxy, PATIENT).db(), { ...PATIENT, observe });
      const controller = new AbortController();
      const isSent = proxy.swallowConnectionOf('pets');
      const read = rejectionOf(catalogue.find(1n, controller));
      await isSent;
      controller.abort(reason);
      expect(await read).to.equal(reason);
      expect(outcomes).to.deep.equal(['aborted']);
    });
  }

  it('may be shared by any number of reads, without a warning of Node, and has no listener afterwards', async () => {
    const catalogue = new MongoPetCatalogue(clientOf(await startDatalessMongodb()).db(), PATIENT);
    const controller = new AbortController();
    const listeners = listenersOf(controller.signal);
    const warnings: Error[] = [];
    const note = (warning: Error): number => warnings.push(warning);
    process.on('warning', note);
    try {
      await Promise.all(Array.from({ length: 40 }, async () => catalogue.find(1n, controller)));
      await new Promise(setImmediate);
    } finally {
      process.off('warning', note);
    }
    expect(warnings).to.deep.equal([]);
    expect(listeners.present).to.equal(0);
    expect(listeners.added).to.be.greaterThan(10);
  });

  it('is not passed on to the driver if it is not one of the runtime', async () => {
    const catalogue = new MongoPetCatalogue(clientOf(await startDatalessMongodb()).db(), PATIENT);
    const bare = new EventTarget() as AbortSignal;
    expect(await catalogue.find(1n, { signal: bare })).to.equal(undefined);
  });
});
