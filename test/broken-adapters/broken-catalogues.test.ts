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
import type { ReopenCatalogue } from '../contracts/pet-catalogue-reopen-checks.js';
import {
  petCatalogueChecks,
  verifyPetCatalogueContract,
  type PetCatalogueContractOptions,
} from '../contracts/pet-catalogue-contract.js';
import type { Checks } from '../contracts/test-runner.js';

const sound = (): PetCatalogue => new InMemoryPetCatalogue();
const NOTHING_OPTIONAL = { addOnce: undefined, records: undefined, restore: undefined };
const plain = (): PetCatalogue => except(sound(), NOTHING_OPTIONAL);

const BOTH = { addOnce: true, restore: true };
const WHOLE = petCatalogueChecks(BOTH);
const ONCE = petCatalogueChecks({ addOnce: true });
const PLAIN = petCatalogueChecks({});

/** The checks that are not among others. */
function beyond(others: Checks<PetCatalogue>, checks: Checks<PetCatalogue>): Checks<PetCatalogue> {
  return Object.fromEntries(Object.entries(checks).filter(([sentence]) => !(sentence in others)));
}

describe('the contract suite of PetCatalogue', () => {
  for (const [what, create, checks] of [
    ['a sound catalogue', sound, WHOLE],
    ['a sound catalogue that has neither addOnce nor restore', plain, PLAIN],
    [
      'a sound catalogue that has restore and no addOnce',
      () => except(sound(), { addOnce: undefined }),
      petCatalogueChecks({ restore: true }),
    ],
  ] as const) {
    it(`passes ${what}`, async () => {
      expect(await failingChecks(checks, create)).to.deep.equal([]);
    });
  }

  for (const [method, options] of Object.entries({ addOnce: { addOnce: true }, restore: { restore: true } })) {
    it(`fails a catalogue that has no ${method} but is to have it, in each check of it`, async () => {
      const checks = beyond(PLAIN, petCatalogueChecks(options));
      expect(await failingChecks(checks, plain)).to.deep.equal(Object.keys(checks));
    });

    it(`fails a catalogue that has ${method} if its checks were not asked for`, async () => {
      const [sentence] = Object.keys(beyond(petCatalogueChecks(options), PLAIN));
      expect(await failingChecks(PLAIN, sound)).to.include(sentence);
    });
  }

  // Without the checks of restore, which take long.
  describe('of all methods but restore', () => {
    const checks = beyond(beyond(WHOLE, ONCE), ONCE);
    const broken = [brokenAdds, brokenAddOnces, brokenLists, brokenSignals];
    itCatches('a catalogue', broken, checks, async (create) => failingChecks(checks, create));
  });

  describe('of restore', () => {
    const checks = beyond(ONCE, WHOLE);
    itCatches('a catalogue', [brokenRestores], checks, async (create) => failingChecks(checks, create));
  });
});

describe('the tests that the contract suite of PetCatalogue declares', () => {
  /** The sentences of the tests that a runner is given, and the messages of those that fail. */
  async function run(
    options: Partial<PetCatalogueContractOptions>,
  ): Promise<{ declared: string[]; failed: Readonly<Record<string, string>> }> {
    const declared: Record<string, () => Promise<void>> = {};
    const describe = (_title: string, body: () => void): void => body();
    const it = (title: string, test: () => Promise<void>): unknown => (declared[title] = test);
    verifyPetCatalogueContract({ createCatalogue: sound, runner: { describe, it }, ...options });
    const failed: Record<string, string> = {};
    for (const [sentence, test] of Object.entries(declared)) {
      await test().catch((error: unknown) => (failed[sentence] = String(error)));
    }
    return { declared: Object.keys(declared), failed };
  }

  it('are one for each check, which a sound catalogue passes', async () => {
    expect(await run(BOTH)).to.deep.equal({ declared: Object.keys(WHOLE), failed: {} });
  });

  it('fail for a broken catalogue', async () => {
    const { failed } = await run({ createCatalogue: () => except(sound(), { find: async () => undefined }) });
    expect(failed).to.include.keys('find resolves to the animal with exactly this id');
  });

  it('hand the catalogue itself to reopen and openAnother', async () => {
    const created = new Set<PetCatalogue>();
    const createCatalogue = (): PetCatalogue => {
      const catalogue = sound();
      created.add(catalogue);
      return catalogue;
    };
    const open = (catalogue: PetCatalogue): PetCatalogue => {
      expect(created.has(catalogue)).to.equal(true);
      return catalogue;
    };
    expect((await run({ ...BOTH, createCatalogue, reopen: open, openAnother: open })).failed).to.deep.equal({});
  });

  for (const [how, nothing] of [
    ['returns', (): undefined => undefined],
    ['resolves to', async (): Promise<undefined> => undefined],
  ] as const) {
    it(`say what each method of a class that ${how} nothing must give`, async () => {
      const methods = { add: nothing, list: nothing, addOnce: nothing, records: nothing, restore: nothing };
      const { failed } = await run({ ...BOTH, createCatalogue: () => except(sound(), methods) });
      const messages = Object.values(failed).join('\n');
      expect(messages).not.to.include('TypeError');
      for (const method of Object.keys(methods)) expect(messages).to.include(`: ${method} must re`);
    });
  }

  for (const created of [undefined, {}]) {
    it(`say that what createCatalogue gives is no adapter: ${JSON.stringify(created)}`, async () => {
      const { failed } = await run({ createCatalogue: () => created as PetCatalogue });
      for (const message of Object.values(failed)) expect(message).to.include('createCatalogue');
    });
  }
});

describe('the contract suite of PetCatalogue with reopen', () => {
  const checksOf = (reopen: ReopenCatalogue) => beyond(WHOLE, petCatalogueChecks({ ...BOTH, reopen }));
  const failing = async (reopen: ReopenCatalogue) => failingChecks(checksOf(reopen), sound);

  it('passes a catalogue that keeps everything', async () => {
    expect(await failing(copyOf)).to.deep.equal([]);
  });

  it('passes a catalogue that has neither addOnce nor restore', async () => {
    const checks = petCatalogueChecks({ reopen: async (catalogue) => catalogue });
    expect(await failingChecks(checks, plain)).to.deep.equal([]);
  });

  itCatches('a catalogue', [brokenReopens], checksOf(copyOf), failing);
});

describe('the contract suite of PetCatalogue with openAnother', () => {
  /** The checks that fail if a catalogue and a sound one use a store. */
  async function failing(
    on: (store: InMemoryPetCatalogue) => PetCatalogue,
    capabilities: typeof BOTH | object = BOTH,
  ): Promise<readonly string[]> {
    const stores = new WeakMap<PetCatalogue, InMemoryPetCatalogue>();
    const openAnother = (catalogue: PetCatalogue) => stores.get(catalogue) as InMemoryPetCatalogue;
    const checks = beyond(petCatalogueChecks(capabilities), petCatalogueChecks({ ...capabilities, openAnother }));
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
    expect(await failing((store) => except<PetCatalogue>(store, NOTHING_OPTIONAL), {})).to.deep.equal([]);
  });

  itCatches(
    'a catalogue',
    [brokenShares],
    beyond(WHOLE, petCatalogueChecks({ ...BOTH, openAnother: (catalogue) => catalogue })),
    async (on) => failing(on),
  );
});
