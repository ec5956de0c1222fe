import { ContainerModule } from 'inversify';
import { createAnimalStore } from '../application/animal-store.js';
import { TOKENS } from './tokens.js';

/** Binds the animal store, on whichever catalogue is bound. */
export function applicationModule(): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(TOKENS.animalStore)
      .toResolvedValue((catalogue) => createAnimalStore({ catalogue }), [TOKENS.petCatalogue])
      .inSingletonScope();
  });
}
