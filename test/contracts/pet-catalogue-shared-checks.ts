import assert from 'node:assert/strict';
import type { PetCatalogue, PetQuery } from '../../src/domain/pet-catalogue.js';
import { assertGreater, needing, petsOf, type Capabilities } from './pet-catalogue-subject.js';
import { REX } from './pet-samples.js';
import type { Checks } from './test-runner.js';

/** Opens another catalogue on the store of one that stays open. */
export type OpenAnotherCatalogue = (catalogue: PetCatalogue) => PetCatalogue | Promise<PetCatalogue>;

/** How many animals each of two catalogues adds concurrently. */
const EACH = 20;

/** The checks of a store that two catalogues use at the same time. */
export function sharedChecks(
  openAnother: OpenAnotherCatalogue,
  { addOnce, restore }: Capabilities,
): Checks<PetCatalogue> {
  return {
    'two catalogues on one store assign no id twice, and show the same animals': async (catalogue) => {
      const catalogues = [catalogue, await openAnother(catalogue)];
      const adds = catalogues.flatMap((each) => Array.from({ length: EACH }, async () => each.add(REX)));
      const ids = new Set((await Promise.all(adds)).map(({ id }) => id));
      assert.equal(ids.size, 2 * EACH);
      for (const each of catalogues) assert.deepEqual(new Set((await petsOf(each)).map(({ id }) => id)), ids);
    },

    'a catalogue shows what another one on its store has added since it looked': async (catalogue) => {
      const other = await openAnother(catalogue);
      let last = 0n;
      for (const [reader, writer] of [
        [catalogue, other],
        [other, catalogue],
      ] as const) {
        const queries: PetQuery[] = [{ limit: 100 }, { limit: 100, status: 'available' }, { limit: 1, after: last }];
        for (const query of queries) await reader.list(query);
        assert.equal(await reader.find(last + 1n), undefined);
        const pet = await writer.add(REX);
        assert.deepEqual(await reader.find(pet.id), pet);
        for (const query of queries) assert.deepEqual((await reader.list(query)).pets.at(-1), pet);
        last = pet.id;
      }
    },

    ...(addOnce && needing(['addOnce'], sharedOnceChecks(openAnother))),
    ...(restore && needing(['records', 'restore'], sharedRestoreChecks(openAnother))),
    ...(addOnce && restore && needing(['addOnce', 'records', 'restore'], sharedRestoreOnceChecks(openAnother))),
  };
}

function sharedOnceChecks(openAnother: OpenAnotherCatalogue): Checks<Required<PetCatalogue>> {
  return {
    'two catalogues on one store store one animal for concurrent calls of addOnce': async (catalogue) => {
      const catalogues = [catalogue, await openAnother(catalogue)];
      const creating = Array.from({ length: EACH }, async (_, i) => catalogues[i % 2]?.addOnce?.(REX, 'once'));
      const [creation, ...others] = await Promise.all(creating);
      for (const other of others) assert.deepEqual(other?.pet, creation?.pet);
      for (const each of catalogues) assert.deepEqual(await petsOf(each), [creation?.pet]);
    },
  };
}

function sharedRestoreChecks(openAnother: OpenAnotherCatalogue): Checks<Required<PetCatalogue>> {
  return {
    'a catalogue shows what another one on its store has restored, and assigns greater ids': async (catalogue) => {
      const restored = await restoreByAnother(catalogue, openAnother);
      assertGreater(restored, [(await catalogue.add(REX)).id]);
    },
  };
}

function sharedRestoreOnceChecks(openAnother: OpenAnotherCatalogue): Checks<Required<PetCatalogue>> {
  return {
    'addOnce assigns greater ids than those that another catalogue on its store has restored': async (catalogue) => {
      const restored = await restoreByAnother(catalogue, openAnother);
      assertGreater(restored, [(await catalogue.addOnce(REX, 'once')).pet.id]);
    },
  };
}

/** Restores an animal by another catalogue, and asserts that the first one shows it. Resolves to its id. */
async function restoreByAnother(catalogue: PetCatalogue, openAnother: OpenAnotherCatalogue): Promise<bigint> {
  const { id } = await catalogue.add(REX);
  const other = await openAnother(catalogue);
  const restored = { id: id + 5000n, ...REX };
  assert.equal(await catalogue.find(restored.id), undefined);
  await other.restore?.([{ pet: restored }]);
  assert.deepEqual(await catalogue.find(restored.id), restored);
  return restored.id;
}
