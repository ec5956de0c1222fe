/** A test file for node:test: the suite of PetCatalogue on a sound catalogue, and on the broken ones that its arguments name. */
import { describe, it } from 'node:test';
import { InMemoryPetCatalogue } from '../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { brokenCatalogues } from './broken-catalogues.js';
import { verifyPetCatalogueContract } from '../contracts/pet-catalogue-contract.js';

for (const name of ['sound', ...process.argv.slice(2)]) {
  const createCatalogue = brokenCatalogues[name]?.create ?? (() => new InMemoryPetCatalogue());
  describe(name, () => {
    verifyPetCatalogueContract({ createCatalogue, runner: { describe, it } });
  });
}
