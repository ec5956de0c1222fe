import 'reflect-metadata';
import { Container, type ContainerModule } from 'inversify';
import { applicationModule } from './application-module.js';

/**
 * A container with the animal store, on the adapters whose modules are given: one that binds a catalogue and API keys,
 * and `httpKoaModule` for the Koa application.
 *
 * @example
 * const container = createContainer(inMemoryModule([]), httpKoaModule());
 * const app = container.get(TOKENS.koaApp);
 */
export function createContainer(...adapters: readonly ContainerModule[]): Container {
  const container = new Container();
  container.load(applicationModule(), ...adapters);
  return container;
}
