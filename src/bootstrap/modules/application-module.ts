import { ContainerModule } from 'inversify';
import { createAnimalStore } from '../../application/animal-store.js';
import type { PetCatalogue } from '../../domain/pet-catalogue.js';
import { TOKENS, type StoreMeter } from '../tokens.js';

/** Binds the animal store, on the catalogue that is bound. Measures the catalogue if a meter is bound. */
export function applicationModule(): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(TOKENS.animalStore)
      .toResolvedValue(
        (catalogue: PetCatalogue, meter: StoreMeter | undefined) =>
          createAnimalStore({ catalogue: meter?.measureCatalogue(catalogue) ?? catalogue }),
        [TOKENS.petCatalogue, { serviceIdentifier: TOKENS.storeMeter, optional: true }],
      )
      .inSingletonScope();
  });
}
