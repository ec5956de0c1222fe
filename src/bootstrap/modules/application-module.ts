import { ContainerModule } from 'inversify';
import { randomBytes } from 'node:crypto';
import { createAnimalStore } from '../../application/animal-store.js';
import { createApiKeyManager } from '../../application/api-keys/api-key-manager.js';
import type { PetCatalogue } from '../../domain/pet-catalogue.js';
import { TOKENS, type StoreMeter } from '../tokens.js';

/**
 * Binds the animal store on the bound catalogue, and the manager of API keys on the bound registry, with the system's clock and
 * random generator. Measures the catalogue if a meter is bound.
 */
export function applicationModule(): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(TOKENS.animalStore)
      .toResolvedValue(
        (catalogue: PetCatalogue, meter: StoreMeter | undefined) =>
          createAnimalStore({ catalogue: meter?.measureCatalogue(catalogue) ?? catalogue }),
        [TOKENS.petCatalogue, { serviceIdentifier: TOKENS.storeMeter, optional: true }],
      )
      .inSingletonScope();
    bind(TOKENS.apiKeyManager)
      .toResolvedValue(
        (registry) => createApiKeyManager({ registry, now: () => new Date(), randomBytes }),
        [TOKENS.apiKeyRegistry],
      )
      .inSingletonScope();
  });
}
