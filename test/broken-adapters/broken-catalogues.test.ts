import { expect } from 'chai';
import { InMemoryPetCatalogue } from '../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import type { PetCatalogue } from '../../src/domain/pet-catalogue.js';
import { except } from '../support/except.js';
import { failingChecks, itCatches } from './breaking.js';
import { brokenAddOnces } from './broken-add-onces.js';
import { brokenAdds } from './broken-adds.js';
import { brokenLists } from './broken-lists.js';
import { brokenReopens, brokenShares, copyOf } from './broken-reopens.js';
import { brokenRestores } from './broken-restores.js';
import { brokenSignals } from './broken-signals.js';
import { addOnceCheck } from '../contracts/pet-catalogue-add-once-checks.js';
import { reopenChecks, type ReopenCatalogue } from '../contracts/pet-catalogue-reopen-checks.js';
import { sharedChecks } from '../contracts/pet-catalogue-shared-checks.js';
import { restoreCheck } from '../contracts/pet-catalogue-restore-checks.js';
import { petCatalogueChecks, verifyPetCatalogueContract } from '../contracts/pet-catalogue-contract.js';

const brokenCatalogues = [brokenAdds, brokenAddOnces, brokenLists, brokenRestores, brokenSignals];
const sound = (): PetCatalogue => new InMemoryPetCatalogue();
const NOTHING_OPTIONAL = { addOnce: undefined, records: undefined, restore: undefined };
const plain = (): PetCatalogue => except(sound(), NOTHING_OPTIONAL);
const withoutAddOnce = (): PetCatalogue => except(sound(), { addOnce: undefined });

describe('the contract suite of PetCatalogue', () => {
  for (const [what, create] of Object.entries({
    'a sound catalogue': sound,
    'a sound catalogue that has neither addOnce nor restore': plain,
    'a sound catalogue that has restore and no addOnce': withoutAddOnce,
  })) {
    it(`passes ${what}`, async () => {
      expect(await failingChecks(petCatalogueChecks, create)).to.deep.equal([]);
    });
  }

  for (const [method, check] of Object.entries({ addOnce: addOnceCheck, restore: restoreCheck })) {
    it(`fails a catalogue that has no ${method} but must have it`, async () => {
      expect(await failingChecks(check, plain)).to.deep.equal(Object.keys(check));
      expect(await failingChecks(check, sound)).to.deep.equal([]);
    });
  }

  itCatches('a catalogue', brokenCatalogues, petCatalogueChecks, async (create) =>
    failingChecks(petCatalogueChecks, create),
  );
});

describe('the tests that the contract suite of PetCatalogue declares', () => {
  /** The sentences of the tests that a runner is given, and of those that fail. */
  async function run(createCatalogue: () => PetCatalogue): Promise<{ declared: string[]; failed: string[] }> {
    const declared: Record<string, () => Promise<void>> = {};
    const describe = (_title: string, body: () => void): void => body();
    const it = (title: string, test: () => Promise<void>): unknown => (declared[title] = test);
    verifyPetCatalogueContract({ createCatalogue, runner: { describe, it } });
    return { declared: Object.keys(declared), failed: await failingChecks(declared, () => undefined) };
  }

  it('are one for each check, which a sound catalogue passes', async () => {
    expect(await run(sound)).to.deep.equal({ declared: Object.keys(petCatalogueChecks), failed: [] });
  });

  it('fail for a broken catalogue', async () => {
    const { failed } = await run(() => except(sound(), { find: async () => undefined }));
    expect(failed).to.include('find resolves to the animal with exactly this id');
  });
});

describe('the contract suite of PetCatalogue with reopen', () => {
  const failing = async (reopen: ReopenCatalogue) => failingChecks(reopenChecks(reopen), sound);

  it('passes a catalogue that keeps everything', async () => {
    expect(await failing(copyOf)).to.deep.equal([]);
  });

  it('passes a catalogue that has neither addOnce nor restore', async () => {
    const checks = reopenChecks(async (catalogue) => catalogue);
    expect(await failingChecks(checks, plain)).to.deep.equal([]);
  });

  itCatches('a catalogue', [brokenReopens], reopenChecks(copyOf), failing);
});

describe('the contract suite of PetCatalogue with openAnother', () => {
  /** The checks that fail if a catalogue and a sound one use a store. */
  async function failing(on: (store: InMemoryPetCatalogue) => PetCatalogue): Promise<readonly string[]> {
    const stores = new WeakMap<PetCatalogue, InMemoryPetCatalogue>();
    const checks = sharedChecks((catalogue) => stores.get(catalogue) as InMemoryPetCatalogue);
    return failingChecks(checks, () => {
      const store = new InMemoryPetCatalogue();
      const catalogue = on(store);
      stores.set(catalogue, store);
      return catalogue;
    });
  }

  it('passes sound catalogues on one store', async () => {
    expect(await failing((store) => except<PetCatalogue>(store, {}))).to.deep.equal([]);
  });

  it('passes sound catalogues that have neither addOnce nor restore', async () => {
    expect(await failing((store) => except<PetCatalogue>(store, NOTHING_OPTIONAL))).to.deep.equal([]);
  });

  itCatches(
    'a catalogue',
    [brokenShares],
    sharedChecks((catalogue) => catalogue),
    failing,
  );
});
