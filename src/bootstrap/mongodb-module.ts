import { ContainerModule } from 'inversify';
import type { Db, MongoClient } from '../adapters/mongodb/mongodb-client.js';
import { consoleStorageLog, type StorageLog } from './log.js';
import { token, TOKENS } from './tokens.js';

const CLIENT = token<MongoClient>('MongoClient');
const DATABASE = token<Db>('MongoDatabase');

/** Which database {@link mongodbModule} binds, and where it logs. */
export type MongodbModuleOptions = (
  | {
      /** The deployment and the database. The container connects to it, and closes the connection at its end. */
      readonly url: string;
    }
  | {
      /** A client of your own. The container neither connects nor closes it. */
      readonly client: MongoClient;
      /** @default the one in the client's URL */
      readonly databaseName?: string;
    }
) & {
  /** @default warnings and errors on the console */
  readonly log?: StorageLog;
};

/**
 * Binds the catalogue, the API keys and their registry in a MongoDB database. Load it by `loadAsync`, and resolve by
 * `getAsync`, which makes the indexes if they are missing. The driver is loaded with the module, not with this file.
 *
 * @example
 * await container.loadAsync(mongodbModule({ url: 'mongodb://127.0.0.1:27017/animals?replicaSet=rs0' }));
 */
export function mongodbModule(options: MongodbModuleOptions): ContainerModule {
  const { log = consoleStorageLog } = options;
  return new ContainerModule(async ({ bind }) => {
    const { MongoApiKeys } = await import('../adapters/mongodb/mongo-api-keys.js');
    const { MongoPetCatalogue } = await import('../adapters/mongodb/mongo-pet-catalogue.js');
    const { databaseNameOf } = await import('../adapters/mongodb/mongodb-client.js');
    const { cachedPing, connectMongodb } = await import('./mongodb-connection.js');

    if ('client' in options) bind(CLIENT).toConstantValue(options.client);
    else {
      bind(CLIENT)
        .toResolvedValue(async () => connectMongodb(options.url, log))
        .inSingletonScope()
        .onDeactivation(async (client) => client.close());
    }
    const name = 'client' in options ? options.databaseName : databaseNameOf(options.url);
    bind(DATABASE)
      .toResolvedValue((client) => client.db(name), [CLIENT])
      .inSingletonScope();

    bind(MongoPetCatalogue)
      .toResolvedValue((db) => new MongoPetCatalogue(db), [DATABASE])
      .inSingletonScope()
      .onActivation(async (_context, catalogue) => {
        await catalogue.init();
        return catalogue;
      });
    bind(MongoApiKeys)
      .toResolvedValue((db) => new MongoApiKeys(db), [DATABASE])
      .inSingletonScope()
      .onActivation(async (_context, apiKeys) => {
        await apiKeys.init();
        return apiKeys;
      });

    bind(TOKENS.petCatalogue).toService(MongoPetCatalogue);
    bind(TOKENS.apiKeys).toService(MongoApiKeys);
    bind(TOKENS.apiKeyRegistry).toService(MongoApiKeys);
    bind(TOKENS.isReady)
      .toResolvedValue((db) => cachedPing(db, log), [DATABASE])
      .inSingletonScope();
  });
}
