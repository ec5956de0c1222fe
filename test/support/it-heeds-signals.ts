import { expect } from 'chai';
import type { CallOptions } from '../../src/domain/call-options.js';
import type { PetCatalogue } from '../../src/domain/pet-catalogue.js';
import { rejectionOf } from './rejection-of.js';

const REX = { name: 'Rex', categoryId: 7n } as const;

/** A call of each method that has a signal. */
const CALLS: Readonly<Record<string, (catalogue: PetCatalogue, options: CallOptions) => Promise<unknown>>> = {
  add: async (catalogue, options) => catalogue.add(REX, options),
  addOnce: async (catalogue, options) => catalogue.addOnce?.(REX, 'once', options),
  list: async (catalogue, options) => catalogue.list({ limit: 1 }, options),
  find: async (catalogue, options) => catalogue.find(1n, options),
};

/** Declares the tests of a catalogue that heeds signals. The contract lets a catalogue ignore them. */
export function itHeedsSignals(createCatalogue: () => PetCatalogue | Promise<PetCatalogue>): void {
  for (const [method, call] of Object.entries(CALLS)) {
    it(`${method} rejects with the reason of a signal that is aborted already, and stores nothing`, async () => {
      const catalogue = await createCatalogue();
      const reason = new Error('the caller has gone');
      // The options are the controller itself: its signal is a getter of its prototype, which a copy by `{ ...options }` lacks.
      const controller = new AbortController();
      controller.abort(reason);
      expect(await rejectionOf(call(catalogue, controller))).to.equal(reason);
      expect(await catalogue.list({ limit: 1 })).to.deep.equal({ pets: [] });
    });

    it(`${method} rejects with an AbortError if the signal has neither a reason nor throwIfAborted`, async () => {
      const bare = { aborted: true } as AbortSignal;
      expect(await rejectionOf(call(await createCatalogue(), { signal: bare }))).to.have.property('name', 'AbortError');
    });
  }
}
