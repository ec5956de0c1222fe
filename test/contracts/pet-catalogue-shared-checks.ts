import assert from 'node:assert/strict';
import type { PetCatalogue } from '../../src/domain/pet-catalogue.js';
import { petsOf } from './pet-catalogue-subject.js';
import { REX } from './pet-samples.js';
import type { Checks } from './test-runner.js';

/** Opens another catalogue on the store of one that stays open. */
export type OpenAnotherCatalogue = (catalogue: PetCatalogue) => PetCatalogue | Promise<PetCatalogue>;

/** How many animals each of two catalogues adds concurrently. */
const EACH = 20;

/** The checks of a store that two catalogues use at the same time. */
export function sharedChecks(openAnother: OpenAnotherCatalogue): Checks<PetCatalogue> {
  return {
    'two catalogues on one store assign no id twice, and show the same animals': async (catalogue) => {
      const catalogues = [catalogue, await openAnother(catalogue)];
      const adds = catalogues.flatMap((each) => Array.from({ length: EACH }, async () => each.add(REX)));
      const ids = new Set((await Promise.all(adds)).map(({ id }) => id));
      assert.equal(ids.size, 2 * EACH);
      for (const each of catalogues) assert.deepEqual(new Set((await petsOf(each)).map(({ id }) => id)), ids);
    },

    'two catalogues on one store store one animal for concurrent calls of addOnce': async (catalogue) => {
      const catalogues = [catalogue, await openAnother(catalogue)];
      const creating = Array.from({ length: EACH }, async (_, i) => catalogues[i % 2]?.addOnce?.(REX, 'once'));
      const [creation, ...others] = await Promise.all(creating);
      if (creation === undefined) return;
      for (const other of others) assert.deepEqual(other?.pet, creation.pet);
      for (const each of catalogues) assert.deepEqual(await petsOf(each), [creation.pet]);
    },

    'a catalogue assigns greater ids than those that another one on its store has restored': async (catalogue) => {
      const { id: before } = await catalogue.add(REX);
      const other = await openAnother(catalogue);
      const restored = before + 5000n;
      if ((await other.restore?.([{ pet: { id: restored, ...REX } }])) === undefined) return;
      const added = [await catalogue.add(REX), (await catalogue.addOnce?.(REX, 'once'))?.pet];
      for (const pet of added) assert.ok(pet === undefined || pet.id > restored, `${pet?.id} follows ${restored}`);
    },
  };
}
