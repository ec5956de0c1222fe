import { expect } from 'chai';
import { InMemoryPetCatalogue } from '../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import type { PetCatalogue } from '../../src/domain/pet-catalogue.js';
import { vary } from './broken-catalogue.js';
import { brokenCatalogues } from './broken-catalogues.js';
import { brokenReopens, copyOf } from './broken-reopens.js';
import { brokenShares, catalogueOn } from './broken-shares.js';
import { failingChecks } from './failing-checks.js';
import { addOnceCheck } from '../contracts/pet-catalogue-add-once-checks.js';
import { reopenChecks, type ReopenCatalogue } from '../contracts/pet-catalogue-reopen-checks.js';
import { sharedChecks } from '../contracts/pet-catalogue-shared-checks.js';
import { restoreCheck } from '../contracts/pet-catalogue-restore-checks.js';
import { petCatalogueChecks } from '../contracts/pet-catalogue-contract.js';

const withoutAddOnce = vary(() => ({}));

describe('the contract suite of PetCatalogue', () => {
  const failures = new Map<string, readonly string[]>();

  before(async () => {
    for (const [fault, { create }] of Object.entries(brokenCatalogues)) {
      failures.set(fault, await failingChecks(petCatalogueChecks, create));
    }
  });

  it('passes a sound catalogue', async () => {
    expect(await failingChecks(petCatalogueChecks, () => new InMemoryPetCatalogue())).to.deep.equal([]);
  });

  it('passes a sound catalogue that has no addOnce', async () => {
    expect(await failingChecks(petCatalogueChecks, withoutAddOnce)).to.deep.equal([]);
  });

  it('fails a catalogue that has no addOnce but must have it', async () => {
    expect(await failingChecks(addOnceCheck, withoutAddOnce)).to.deep.equal(['addOnce is implemented']);
    expect(await failingChecks(addOnceCheck, () => new InMemoryPetCatalogue())).to.deep.equal([]);
  });

  it('passes a sound catalogue that has restore and no addOnce', async () => {
    const create = vary((sound) => ({ restore: async (pets) => sound.restore(pets) }));
    expect(await failingChecks(petCatalogueChecks, create)).to.deep.equal([]);
  });

  it('fails a catalogue that has no restore but must have it', async () => {
    expect(await failingChecks(restoreCheck, withoutAddOnce)).to.deep.equal(['restore is there']);
    expect(await failingChecks(restoreCheck, () => new InMemoryPetCatalogue())).to.deep.equal([]);
  });

  it('is tried with more than twenty broken catalogues', () => {
    expect(Object.keys(brokenCatalogues).length).to.be.greaterThan(20);
  });

  for (const [fault, { caughtBy }] of Object.entries(brokenCatalogues)) {
    it(`catches a catalogue that ${fault}: ${caughtBy}`, () => {
      expect(failures.get(fault)).to.include(caughtBy);
    });
  }

  it('needs each of its checks: some broken catalogue fails it', () => {
    const seen = new Set([...failures.values()].flat());
    expect(Object.keys(petCatalogueChecks).filter((sentence) => !seen.has(sentence))).to.deep.equal([]);
  });
});

describe('the contract suite of PetCatalogue with reopen', () => {
  const failing = async (reopen: ReopenCatalogue) =>
    failingChecks(reopenChecks(reopen), () => new InMemoryPetCatalogue());

  it('passes a catalogue that keeps everything', async () => {
    expect(await failing(copyOf)).to.deep.equal([]);
  });

  it('passes a catalogue that has neither addOnce nor restore', async () => {
    const checks = reopenChecks(async (catalogue) => catalogue);
    expect(await failingChecks(checks, withoutAddOnce)).to.deep.equal([]);
  });

  for (const [fault, { reopen, caughtBy }] of Object.entries(brokenReopens)) {
    it(`catches a catalogue that ${fault}: ${caughtBy}`, async () => {
      expect(await failing(reopen)).to.include(caughtBy);
    });
  }

  it('needs each of its checks: some broken catalogue fails it', async () => {
    const all = await Promise.all(Object.values(brokenReopens).map(async ({ reopen }) => failing(reopen)));
    expect([...new Set(all.flat())]).to.have.members(Object.keys(reopenChecks(copyOf)));
  });
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
    expect(await failing(catalogueOn)).to.deep.equal([]);
  });

  it('passes sound catalogues that have neither addOnce nor restore', async () => {
    const plain = ({ add, list, find }: PetCatalogue): PetCatalogue => ({ add, list, find });
    expect(await failing((store) => plain(catalogueOn(store)))).to.deep.equal([]);
  });

  for (const [fault, { on, caughtBy }] of Object.entries(brokenShares)) {
    it(`catches a catalogue that ${fault}: ${caughtBy}`, async () => {
      expect(await failing(on)).to.include(caughtBy);
    });
  }

  it('needs each of its checks: some broken catalogue fails it', async () => {
    const all = await Promise.all(Object.values(brokenShares).map(async ({ on }) => failing(on)));
    expect([...new Set(all.flat())]).to.have.members(Object.keys(sharedChecks((catalogue) => catalogue)));
  });
});
