import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import type { PetCatalogue } from '../../src/domain/pet-catalogue.js';
import type { NewPet, Pet } from '../../src/domain/pet.js';
import { assertGreater, assertReused, needing, petsOf, type Capabilities } from './pet-catalogue-subject.js';
import { REX, samplePets } from './pet-samples.js';
import type { Checks } from './test-runner.js';

/** Closes a catalogue, and opens its store again. */
export type ReopenCatalogue = (catalogue: PetCatalogue) => PetCatalogue | Promise<PetCatalogue>;

const TOM: NewPet = { name: 'Tom', categoryId: 8n };

/** The checks of a store that is opened again. */
export function reopenChecks(reopen: ReopenCatalogue, { addOnce, restore }: Capabilities): Checks<PetCatalogue> {
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
        for (let i = 0; i < 3; i++) before = assertGreater(before, [(await current.add(REX)).id]);
        current = await reopen(current);
      }
      assert.equal((await petsOf(current)).length, 9);
    },

    ...(addOnce && needing(['addOnce'], reopenOnceChecks(reopen))),
    ...(restore && needing(['records', 'restore'], reopenRestoreChecks(reopen))),
  };
}

function reopenOnceChecks(reopen: ReopenCatalogue): Checks<Required<PetCatalogue>> {
  return {
    'a catalogue that is opened again knows the idempotency keys of its animals': async (catalogue) => {
      const { pet } = await catalogue.addOnce(REX, 'once');
      const again = await reopen(catalogue);
      assert.deepEqual(await again.addOnce?.(REX, 'once'), { pet, replayed: true });
      await assertReused(again.addOnce?.(TOM, 'once'));
      assert.deepEqual(await petsOf(again), [pet]);
    },
  };
}

function reopenRestoreChecks(reopen: ReopenCatalogue): Checks<Required<PetCatalogue>> {
  return {
    'a catalogue that is opened again has the restored animals and digests, and assigns greater ids': async (
      catalogue,
    ) => {
      const records = [
        { pet: { id: 5n, ...REX }, idempotencyDigest: hash('sha256', 'once') },
        { pet: { id: 7000n, ...TOM } },
      ];
      await catalogue.restore(records);
      const again = await reopen(catalogue);
      const seen = [];
      for await (const record of again.records?.() ?? []) seen.push(record);
      assert.deepEqual(seen, records);
      assertGreater(7000n, [(await again.add(REX)).id]);
    },
  };
}
