import 'reflect-metadata';
import { Container, type ContainerModule } from 'inversify';
import { applicationModule } from './modules/application-module.js';

/**
 * Makes a container with the animal store, and loads the modules of adapters into it: one that binds a catalogue, and to
 * serve it over HTTP, one that binds API keys, `httpModule` and `koaModule`. Nothing is made yet: `getAsync` makes what it
 * resolves and connects it; `unbindAllAsync` closes everything that was made.
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
