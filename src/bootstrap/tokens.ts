import type { ServiceIdentifier } from 'inversify';
import type { createApp } from '../adapters/http/koa/create-app.js';
import type { AnimalStore } from '../application/animal-store.js';
import type { ApiKeys } from '../domain/api-keys.js';
import type { PetCatalogue } from '../domain/pet-catalogue.js';

function token<T>(name: string): ServiceIdentifier<T> {
  return Symbol.for(`animal-store.${name}`);
}

/** The identifiers that the modules bind, each typed by what is bound to it. Rebind any of them. */
export const TOKENS = {
  petCatalogue: token<PetCatalogue>('PetCatalogue'),
  apiKeys: token<ApiKeys>('ApiKeys'),
  animalStore: token<AnimalStore>('AnimalStore'),
  koaApp: token<ReturnType<typeof createApp>>('KoaApp'),
} as const;
