/** A test file for node:test: the suite of PetCatalogue on the broken catalogue that its argument names, or on a sound one. */
import { describe, it } from 'node:test';
import { InMemoryPetCatalogue } from '../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { brokenAdds } from './broken-adds.js';
import { verifyPetCatalogueContract } from '../contracts/pet-catalogue-contract.js';

const [sentence = '', fault = ''] = process.argv.slice(2);
const createCatalogue = brokenAdds[sentence]?.[fault] ?? (() => new InMemoryPetCatalogue());
verifyPetCatalogueContract({ createCatalogue, runner: { describe, it } });
