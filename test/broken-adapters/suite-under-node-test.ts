/** A test file for node:test: the suite of PetCatalogue on the broken catalogue that its argument names, or on a sound one. */
import { describe, it } from 'node:test';
import { InMemoryPetCatalogue } from '../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { brokenCatalogues } from './broken-catalogues.js';
import { verifyPetCatalogueContract } from '../contracts/pet-catalogue-contract.js';

const createCatalogue = brokenCatalogues[process.argv[2] ?? '']?.create ?? (() => new InMemoryPetCatalogue());
verifyPetCatalogueContract({ createCatalogue, runner: { describe, it } });
