/** A test file for node:test: the suite of PetCatalogue on a sound catalogue, and on each of the broken ones. */
import { describe, it } from 'node:test';
import { InMemoryPetCatalogue } from '../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { brokenCatalogues } from './broken-catalogues.js';
import { verifyPetCatalogueContract } from '../contracts/pet-catalogue-contract.js';

const catalogues = { sound: { create: () => new InMemoryPetCatalogue() }, ...brokenCatalogues };

for (const [name, { create }] of Object.entries(catalogues)) {
  describe(name, () => {
    verifyPetCatalogueContract({ createCatalogue: create, runner: { describe, it } });
  });
}
