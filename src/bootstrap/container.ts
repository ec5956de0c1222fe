import 'reflect-metadata';
import { Container, type ContainerModule } from 'inversify';
import { applicationModule } from './modules/application-module.js';

/**
 * Creates a container with the animal store, and loads the modules of adapters into it: one that binds a catalogue; to serve it
 * over HTTP, also one that binds API keys, `httpModule` and `koaModule`. This creates no objects yet: `getAsync` creates and
 * connects what it resolves; `unbindAllAsync` closes everything that was created.
 *
 * @example
 * const container = await createContainer(inMemoryModule([]), httpModule(), koaModule());
 * const handler = await container.getAsync(TOKENS.requestHandler);
 */
export async function createContainer(...adapters: readonly ContainerModule[]): Promise<Container> {
  const container = new Container();
  await container.loadAsync(applicationModule(), ...adapters);
  return container;
}
