/**
 * The core of Animal Store: the domain and its use cases, with no package behind it.
 *
 * @module animal-store
 */
export { createAnimalStore, type AnimalStore } from './application/animal-store.js';
export { abortable } from './application/abortable.js';
export { allPets } from './application/all-pets.js';
export {
  createApiKeyManager,
  type ApiKeyManager,
  type ApiKeyManagerOptions,
} from './application/api-keys/api-key-manager.js';
export { LIST_LIMIT, type ListPetsInput } from './application/list-pets.js';
export { isApiKeyFormat } from './domain/api-keys/api-key-format.js';
export {
  KEY_LIFETIME_MAX_MS,
  stateOfApiKey,
  type ApiKey,
  type ApiKeyRecord,
  type ApiKeyRequest,
  type ApiKeyRotation,
  type IssuedApiKey,
} from './domain/api-keys/api-key.js';
export type { ApiKeyPage, ApiKeyQuery, ApiKeyRegistry, ApiKeys, Principal } from './domain/api-keys/api-keys.js';
export { throwIfAborted, type CallOptions } from './domain/call-options.js';
export { AnimalStoreError, isAnimalStoreError, type AnimalStoreErrorCode, type Fault } from './domain/errors.js';
export { INT64_MAX, INT64_MIN, parseInt64, type Int64Like } from './domain/int64.js';
export {
  IDEMPOTENCY_KEY_MAX_LENGTH,
  isIdempotencyKey,
  replayCreation,
  type PetCreation,
} from './domain/idempotency-key.js';
export { parseNewPet, parsePet } from './domain/parse-pet.js';
export {
  BATCH_MAX,
  type PetCatalogue,
  type PetPage,
  type PetQuery,
  type PetRecord,
  type RestoreResult,
} from './domain/pet-catalogue.js';
export { isPetStatus, PET_STATUSES, type PetStatus } from './domain/pet-status.js';
export { petToJson, type PetJson } from './domain/pet-to-json.js';
export {
  faultsOfNewPet,
  isSamePet,
  makePet,
  NAME_MAX_LENGTH,
  type NewPet,
  type NewPetInput,
  type Pet,
} from './domain/pet.js';
