import { ContainerModule } from 'inversify';
import { createApp, type AppOptions } from '../adapters/http/koa/create-app.js';
import { TOKENS } from './tokens.js';

/** Binds the Koa application, on whichever animal store and API keys are bound. */
export function httpKoaModule(options: Omit<AppOptions, 'store' | 'apiKeys'> = {}): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(TOKENS.koaApp)
      .toResolvedValue(
        (store, apiKeys) => createApp({ ...options, store, apiKeys }),
        [TOKENS.animalStore, TOKENS.apiKeys],
      )
      .inSingletonScope();
  });
}
