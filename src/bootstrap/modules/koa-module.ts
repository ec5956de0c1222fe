import { ContainerModule } from 'inversify';
import { createApp } from '../../adapters/http/koa/create-app.js';
import { TOKENS } from '../tokens.js';

/** Binds the Koa application as the transport, with the bound HTTP options. */
export function koaModule(): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(TOKENS.requestHandler)
      .toResolvedValue((options) => createApp(options).callback(), [TOKENS.httpOptions])
      .inSingletonScope();
  });
}
