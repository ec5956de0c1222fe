import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import type { PetCatalogue } from '../../src/domain/pet-catalogue.js';
import { needing } from './pet-catalogue-subject.js';
import { REX } from './pet-samples.js';
import type { Checks } from './test-runner.js';

const REASON = new Error('the caller has gone');

/** A call of each method. Those that store something store {@link REX}. */
const CALLS: Readonly<Record<string, (catalogue: PetCatalogue, signal: AbortSignal) => Promise<unknown> | undefined>> =
  {
    add: async (catalogue, signal) => catalogue.add(REX, { signal }),
    addOnce: (catalogue, signal) => catalogue.addOnce?.(REX, 'once', { signal }),
    list: async (catalogue, signal) => catalogue.list({ limit: 100 }, { signal }),
    find: async (catalogue, signal) => catalogue.find(1n, { signal }),
  };

/** Waits for a call whose signal is aborted. It may resolve, because a catalogue may ignore the signal. */
async function assertResultOrReason(call: Promise<unknown> | undefined, method: string): Promise<void> {
  const error: unknown = await call?.then(
    () => REASON,
    (reason: unknown) => reason,
  );
  if (call !== undefined) assert.equal(error, REASON, `${method} rejected with another error: ${String(error)}`);
}

/** The checks of the `signal` of a call. */
export const signalChecks: Checks<PetCatalogue> = {
  'a signal that is not aborted changes nothing, and neither do options without one': async (catalogue) => {
    for (const [i, options] of [{ signal: new AbortController().signal }, { signal: null }, {}].entries()) {
      const pet = await catalogue.add(REX, options);
      assert.deepEqual(await catalogue.find(pet.id, options), pet);
      assert.deepEqual((await catalogue.list({ limit: 100 }, options)).pets.at(-1), pet);
      const creation = await catalogue.addOnce?.(REX, `once ${i}`, options);
      if (creation === undefined) continue;
      assert.deepEqual(await catalogue.find(creation.pet.id, options), creation.pet);
    }
  },

  'a call whose signal is aborted rejects with its reason, unless it resolves': async (catalogue) => {
    for (const [method, call] of Object.entries(CALLS)) {
      await assertResultOrReason(call(catalogue, AbortSignal.abort(REASON)), method);
      const controller = new AbortController();
      const running = call(catalogue, controller.signal);
      controller.abort(REASON);
      await assertResultOrReason(running, method);
    }
  },

  'an animal whose creation is aborted is stored whole or not at all': async (catalogue) => {
    const controller = new AbortController();
    const adding = Array.from({ length: 10 }, async () => catalogue.add(REX, { signal: controller.signal }));
    controller.abort(REASON);
    await Promise.all(adding.map(async (call) => assertResultOrReason(call, 'add')));
    const last = await catalogue.add({ ...REX, name: 'Tom' });
    const { pets } = await catalogue.list({ limit: 100 });
    assert.deepEqual(pets.at(-1), last);
    for (const { id, ...stored } of pets.slice(0, -1)) assert.deepEqual(stored, REX, `id ${id}`);
  },

  'the abort of a call ends no call beside it': async (catalogue) => {
    for (const abortedAfter of [undefined, 0, 1]) {
      const controller = new AbortController();
      if (abortedAfter === undefined) controller.abort(REASON);
      const abortedCalls = (): Promise<void>[] =>
        Object.entries(CALLS).map(async ([method, call]) =>
          assertResultOrReason(call(catalogue, controller.signal), method),
        );
      const otherCalls = (): Promise<unknown>[] =>
        Object.values(CALLS).map(async (call) => call(catalogue, new AbortController().signal));
      const aborted = abortedCalls();
      const others = otherCalls();
      aborted.push(...abortedCalls());
      others.push(...otherCalls());
      if (abortedAfter === 1) await setImmediate();
      controller.abort(REASON);
      for (const outcome of await Promise.allSettled(others)) {
        const reason = outcome.status === 'rejected' ? String(outcome.reason) : undefined;
        assert.equal(reason, undefined, `a call beside an aborted one rejected: ${reason}`);
      }
      await Promise.all(aborted);
    }
  },

  'a call that has settled no longer listens to its signal': async (catalogue) => {
    const { signal } = new AbortController();
    const assertNoListener = (method: string): void => {
      const { length } = getEventListeners(signal, 'abort');
      assert.equal(length, 0, `${method} left ${length} listeners on its signal`);
    };
    for (const [method, call] of Object.entries(CALLS)) {
      await call(catalogue, signal);
      assertNoListener(method);
    }
    const calls = [...Object.values(CALLS), ...Object.values(CALLS)];
    await Promise.all(calls.map(async (call) => call(catalogue, signal)));
    assertNoListener('a concurrent call');
  },

  'a signal has no effect on a call that has settled': async (catalogue) => {
    const controller = new AbortController();
    const pet = await catalogue.add(REX, { signal: controller.signal });
    controller.abort(REASON);
    assert.deepEqual((await catalogue.list({ limit: 100 })).pets, [pet]);
    assert.deepEqual(await catalogue.find(pet.id), pet);
  },
};

/** The checks of the `signal` of a catalogue that is to have `addOnce`. */
export const signalOnceChecks: Checks<PetCatalogue> = needing(['addOnce'], {
  'a creation that is aborted is completed by calling addOnce again': async (catalogue) => {
    const controller = new AbortController();
    const creating = catalogue.addOnce(REX, 'once', { signal: controller.signal });
    controller.abort(REASON);
    await assertResultOrReason(creating, 'addOnce');
    const { pet } = await catalogue.addOnce(REX, 'once');
    assert.deepEqual(await catalogue.find(pet.id), pet);
    assert.deepEqual((await catalogue.list({ limit: 100 })).pets, [pet]);
  },
});
