import assert from 'node:assert/strict';
import type { PetCatalogue } from '../../src/domain/pet-catalogue.js';
import type { Pet } from '../../src/domain/pet.js';
import { REX } from './pet-samples.js';
import { petsOf } from './pets-of.js';
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

    'a catalogue assigns greater ids than those that another one on its store has restored': async (catalogue) => {
      if (catalogue.restore === undefined) return;
      const { id: before } = await catalogue.add(REX);
      const other = (await openAnother(catalogue)) as Required<Pick<PetCatalogue, 'restore'>>;
      const restored = before + 5000n;
      await other.restore([{ id: restored, ...REX }]);
      const added = await Promise.all([
        catalogue.add(REX),
        catalogue.addOnce?.(REX, 'once').then(({ pet }) => pet),
        catalogue.addManyOnce?.([{ newPet: REX, idempotencyKey: 'many' }]).then(([creation]) => creation?.pet as Pet),
      ]);
      for (const pet of added) assert.ok(pet === undefined || pet.id > restored, `${pet?.id} follows ${restored}`);
    },
  };
}
