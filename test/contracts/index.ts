/**
 * The contract suites of the driven ports and of the HTTP interface, for any test runner with `describe` and `it`. They use only
 * Node's own modules.
 *
 * @module animal-store/contract
 */
export {
  verifyApiKeyRegistryContract,
  type ApiKeyRegistryContractOptions,
  type OpenAnotherApiKeyRegistry,
  type ReopenApiKeyRegistry,
} from './api-key-registry-contract.js';
export type { CreatedApiKeyRegistry } from './api-key-registry-subject.js';
export { verifyApiKeysContract, type ApiKeysContractOptions, type IssuedKeys } from './api-keys-contract.js';
export { verifyHttpContract, type HttpContractGroup, type HttpContractOptions } from './http-contract.js';
export { verifyPetCatalogueContract, type PetCatalogueContractOptions } from './pet-catalogue-contract.js';
export type { ReopenCatalogue } from './pet-catalogue-reopen-checks.js';
export type { OpenAnotherCatalogue } from './pet-catalogue-shared-checks.js';
export type { TestRunner } from './test-runner.js';
