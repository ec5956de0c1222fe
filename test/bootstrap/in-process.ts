import { ContainerModule } from 'inversify';
import { pino } from 'pino';
import { InMemoryPetCatalogue } from '../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { startServer, TOKENS, type RunningServer, type StartConfig } from '../../src/bootstrap/index.js';
import type { ApiKeyRegistry, ApiKeys } from '../../src/domain/api-keys/api-keys.js';
import type { PetCatalogue } from '../../src/domain/pet-catalogue.js';
import { endWithTest } from '../support/cleanup.js';

/** The key that the servers of {@link start} accept by default. */
export const KEY = 'a-key-of-more-than-16';

/** Starts a server in this process, on a free port of 127.0.0.1 and without a log by default, until the test ends. */
export async function start(config: StartConfig = {}, log = pino({ level: 'silent' })): Promise<RunningServer> {
  const apiKeys = [{ name: 'anna', key: KEY }];
  const server = await startServer({ host: '127.0.0.1', port: 0, apiKeys, ...config }, log);
  endWithTest(async () => server.close());
  return server;
}

/** The parts of a store. */
interface StoreParts {
  readonly petCatalogue?: PetCatalogue;
  readonly apiKeys?: ApiKeys;
  readonly apiKeyRegistry?: ApiKeyRegistry;
}

/** A custom store of these parts, by default with an empty catalogue and no keys. */
export function storeOf({ petCatalogue = new InMemoryPetCatalogue(), ...keys }: StoreParts = {}): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(TOKENS.petCatalogue).toConstantValue(petCatalogue);
    if (keys.apiKeys !== undefined) bind(TOKENS.apiKeys).toConstantValue(keys.apiKeys);
    if (keys.apiKeyRegistry !== undefined) bind(TOKENS.apiKeyRegistry).toConstantValue(keys.apiKeyRegistry);
  });
}

/** A custom store that does this when it is closed. */
export function closableStore(close: (catalogue: PetCatalogue) => unknown): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(TOKENS.petCatalogue)
      .toResolvedValue((): PetCatalogue => new InMemoryPetCatalogue())
      .inSingletonScope()
      .onDeactivation((catalogue) => void close(catalogue));
  });
}
