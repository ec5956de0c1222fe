import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import type { PetCatalogue } from '../../src/domain/pet-catalogue.js';
import type { NewPet, Pet } from '../../src/domain/pet.js';
import { assertReused } from './pet-catalogue-add-once-checks.js';
import { REX, samplePets } from './pet-samples.js';
import { petsOf } from './pets-of.js';
import type { Checks } from './test-runner.js';

/** Closes a catalogue, and opens its store again. */
export type ReopenCatalogue = (catalogue: PetCatalogue) => PetCatalogue | Promise<PetCatalogue>;

const TOM: NewPet = { name: 'Tom', categoryId: 8n };

/** The checks of a store that is opened again. */
export function reopenChecks(reopen: ReopenCatalogue): Checks<PetCatalogue> {
  return {
    'a catalogue that is opened again has the same animals': async (catalogue) => {
      const pets: Pet[] = [];
      for (const newPet of samplePets()) pets.push(await catalogue.add(newPet));
      const again = await reopen(catalogue);
      assert.deepEqual(await petsOf(again), pets);
      for (const pet of pets) assert.deepEqual(await again.find(pet.id), pet);
    },

    'a catalogue that is opened again assigns greater ids than before': async (catalogue) => {
      let current = catalogue;
      let before = 0n;
      for (let opened = 0; opened < 3; opened++) {
        for (let i = 0; i < 3; i++) {
          const { id } = await current.add(REX);
          assert.ok(id > before, `${id} follows ${before}`);
          before = id;
        }
        current = await reopen(current);
      }
      assert.equal((await petsOf(current)).length, 9);
    },

    'a catalogue that is opened again replays the creations of addOnce': async (catalogue) => {
      if (catalogue.addOnce === undefined) return;
      const { pet } = await catalogue.addOnce(REX, 'once');
      const again = await reopen(catalogue);
      assert.deepEqual(await again.addOnce?.(REX, 'once'), { pet, replayed: true });
      assert.deepEqual(await petsOf(again), [pet]);
    },

    'a catalogue that is opened again refuses the idempotency key of another animal': async (catalogue) => {
      if (catalogue.addOnce === undefined) return;
      const { pet } = await catalogue.addOnce(REX, 'once');
      const again = await reopen(catalogue);
      await assertReused(again.addOnce?.(TOM, 'once'));
      assert.deepEqual(await petsOf(again), [pet]);
    },

    'a catalogue that is opened again has the restored animals and digests, and assigns greater ids': async (
      catalogue,
    ) => {
      const records = [{ pet: { id: 5n, ...REX }, once: hash('sha256', 'once') }, { pet: { id: 7000n, ...TOM } }];
      if ((await catalogue.restore?.(records)) === undefined) return;
      const again = await reopen(catalogue);
      const seen = [];
      for await (const record of again.records?.() ?? []) seen.push(record);
      assert.deepEqual(seen, records);
      const { id } = await again.add(REX);
      assert.ok(id > 7000n, `${id} follows 7000`);
    },
  };
}
