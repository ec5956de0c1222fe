/**
 * The contract suites of the driven ports, for any test runner with `describe` and `it`. They need nothing but
 * modules of Node.
 *
 * @module
 */
export { verifyApiKeysContract, type ApiKeysContractOptions, type IssuedKeys } from './api-keys-contract.js';
export { verifyPetCatalogueContract, type PetCatalogueContractOptions } from './pet-catalogue-contract.js';
export type { TestRunner } from './test-runner.js';
