import { ContainerModule } from 'inversify';
import { createApp } from '../../adapters/http/koa/create-app.js';
import { TOKENS } from '../tokens.js';

/** Binds the Koa application as the transport, on the HTTP options that are bound. */
export function koaModule(): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(TOKENS.requestHandler)
      .toResolvedValue((options) => createApp(options).callback(), [TOKENS.httpOptions])
      .inSingletonScope();
  });
}
