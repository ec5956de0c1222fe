import { expect } from 'chai';
import { boundedCall, type BoundedCall } from '../../../src/adapters/kit/bounded-call.js';
import { AnimalStoreError } from '../../../src/domain/errors.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { runningTimers } from '../../support/running-timers.js';

const NEVER = async (): Promise<never> => new Promise(() => undefined);
const LOST = Object.assign(new Error('the connection was lost'), { code: 'ECONNRESET' });
/** Longer than a test may take. */
const FOR_EVER_MS = 600_000;

const isUnavailable = (error: unknown): boolean => (error as { readonly code?: unknown }).code === 'ECONNRESET';

const run = async <T>(
  operate: (call: BoundedCall) => Promise<T>,
  { deadlineMs = FOR_EVER_MS, signal }: { readonly deadlineMs?: number; readonly signal?: AbortSignal } = {},
): Promise<T> => boundedCall({ deadlineMs, isUnavailable, signal }, operate);

describe('a bounded call', () => {
  it('resolves to the result, and is not over before', async () => {
    let isOver: boolean | undefined;
    expect(await run(async (call) => ((isOver = call.isOver), 7))).to.equal(7);
    expect(isOver).to.equal(false);
  });

  it('ends at its deadline, whatever still runs, which learns of it', async () => {
    let call: BoundedCall | undefined;
    const error = await rejectionOf(run(async (given) => NEVER.call((call = given)), { deadlineMs: 20 }));
    expect(error).to.include({ code: 'store_unavailable', message: 'the store did not answer in time' });
    expect(error).to.have.nested.property('cause.message', 'no answer within 20 ms');
    expect(call?.isOver).to.equal(true);
  });

  it('ends at its deadline with what stood in its way as the cause', async () => {
    const stuck = run(async (call) => NEVER.call((call.obstacle = LOST)), { deadlineMs: 20 });
    expect(await rejectionOf(stuck)).to.include({ code: 'store_unavailable', cause: LOST });
  });

  it('rejects with store_unavailable if the database gave no answer, with its error as the cause', async () => {
    expect(await rejectionOf(run(async () => Promise.reject(LOST)))).to.include({
      code: 'store_unavailable',
      cause: LOST,
    });
  });

  for (const error of [
    new Error('a fault'),
    new AnimalStoreError('idempotency_key_reused', 'another animal'),
    'a text',
  ]) {
    it(`rejects with any other error as it is: ${String(error)}`, async () => {
      expect(await rejectionOf(run(async () => Promise.reject(error as Error)))).to.equal(error);
    });
  }

  it('rejects with an AnimalStoreError as it is, whatever counts as no answer', async () => {
    const error = new AnimalStoreError('store_unavailable', 'the commit is uncertain');
    const call = boundedCall({ deadlineMs: FOR_EVER_MS, isUnavailable: () => true }, async () => Promise.reject(error));
    expect(await rejectionOf(call)).to.equal(error);
  });

  it('does not begin if its signal is aborted', async () => {
    const signal = AbortSignal.abort('left');
    let begun = false;
    expect(await rejectionOf(run(async () => (begun = true), { signal }))).to.equal('left');
    expect(begun).to.equal(false);
  });

  it('rejects with the reason of its signal, whatever the database makes of the abort', async () => {
    for (const error of [LOST, new Error('canceling statement due to user request')]) {
      const controller = new AbortController();
      const aborted = run(async () => (controller.abort(LOST), Promise.reject(error)), controller);
      expect(await rejectionOf(aborted)).to.equal(LOST);
    }
  });

  it('passes its signal on', async () => {
    const { signal } = new AbortController();
    expect(await run(async (call) => call.signal, { signal })).to.equal(signal);
  });

  it('leaves no timer behind', async () => {
    const before = runningTimers();
    for (let i = 0; i < 50; i++) {
      await run(async () => i);
      await rejectionOf(run(async () => Promise.reject(LOST)));
    }
    expect(runningTimers() - before).to.be.lessThan(25);
  });
});
