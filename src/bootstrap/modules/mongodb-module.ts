import { ContainerModule } from 'inversify';
import { consoleLog, type Log } from '../../adapters/http/pipeline/log.js';
import type { Db, MongoClient } from '../../adapters/mongodb/client.js';
import type { MongoObserver, MongoOperation, OperationOptions } from '../../adapters/mongodb/operation.js';
import { importWith } from '../settings/optional-package.js';
import type { StoreAccess } from '../stores/store-access.js';
import { token, TOKENS } from '../tokens.js';

const CLIENT = token<MongoClient>('MongoClient');
const DATABASE = token<Db>('MongoDatabase');

export interface MongodbMeter {
  /** @param client A `MongoClient` that is not connected yet. */
  watchClient(client: object): void;
}

/** Bound if metrics are on. */
export const MONGODB_METER = token<MongodbMeter>('MongodbMeter');

/** The options of {@link mongodbModule}: the database, and the log. */
export type MongodbModuleOptions = (
  | {
      /** The deployment and the database. The container connects to it, and closes the connection when it is unbound. */
      readonly url: string;
    }
  | {
      /**
       * Your own `MongoClient`. The container neither connects nor closes it. Its type is a part of the driver's, so that these types
       * need no driver.
       */
      readonly client: { db(name?: string): object };
      /** @default the one in the client's URL */
      readonly databaseName?: string | undefined;
    }
) & {
  /** `prepare` creates missing indexes; otherwise a missing database or collection is an error. @default 'prepare' */
  readonly access?: StoreAccess | undefined;
  /** @default warnings and errors on the console */
  readonly log?: Log | undefined;
  /** How long one operation may take, in milliseconds. @default 5000 */
  readonly deadlineMs?: number | undefined;
  /** Called when an operation on MongoDB has ended, for metrics. @default none */
  readonly observe?: MongoObserver | undefined;
};

/**
 * Binds the catalogue, the API keys and their registry in a MongoDB database. Load it with `loadAsync`, and resolve with
 * `getAsync`, which connects and, by default, creates missing indexes. The driver is loaded with the module, not with this file.
 *
 * @example
 * await container.loadAsync(mongodbModule({ url: 'mongodb://127.0.0.1:27017/animals?replicaSet=rs0' }));
 */
export function mongodbModule(options: MongodbModuleOptions): ContainerModule {
  const { access = 'prepare', log = consoleLog, deadlineMs } = options;
  return new ContainerModule(async ({ bind }) => {
    const { connectClient, createMongoClient, databaseNameOf } = await importWith(
      'mongodb',
      'mongodbModule',
      async () => import('../../adapters/mongodb/client.js'),
    );
    const { checkDatabase, prepareDatabase } = await import('../../adapters/mongodb/preparation.js');
    const { MongoApiKeyRegistry } = await import('../../adapters/mongodb/mongo-api-key-registry.js');
    const { MongoApiKeys } = await import('../../adapters/mongodb/mongo-api-keys.js');
    const { MongoPetCatalogue } = await import('../../adapters/mongodb/mongo-pet-catalogue.js');

    // Operations that fail because the container is unbound are not logged.
    let isInUse = true;
    const stop = (): void => void (isInUse = false);

    if ('client' in options) {
      bind(DATABASE)
        .toResolvedValue(async () => {
          const db = (options.client as MongoClient).db(options.databaseName);
          await (access === 'prepare' ? prepareDatabase : checkDatabase)(db);
          return db;
        })
        .inSingletonScope()
        .onDeactivation(stop);
    } else {
      const { url } = options;
      bind(CLIENT)
        .toResolvedValue(
          async (meter: MongodbMeter | undefined) => {
            const client = createMongoClient(url, { deadlineMs });
            meter?.watchClient(client);
            return connectClient(client);
          },
          [{ serviceIdentifier: MONGODB_METER, optional: true }],
        )
        .inSingletonScope()
        .onDeactivation(async (client) => {
          stop();
          await client.close();
        });
      bind(DATABASE)
        .toResolvedValue(
          async (client) => {
            const db = client.db(databaseNameOf(url));
            if (access !== 'prepare') await checkDatabase(db);
            else {
              // Indexes take longer to build than any other operation.
              const patient = await connectClient(createMongoClient(url, { deadlineMs, socketTimeoutMS: 0 }));
              try {
                await prepareDatabase(patient.db(db.databaseName));
              } finally {
                await patient.close();
              }
            }
            return db;
          },
          [CLIENT],
        )
        .inSingletonScope();
    }

    const settings: OperationOptions = {
      deadlineMs,
      observe(operation) {
        if (isInUse) logFailure(log, operation);
        // Last, because it may throw.
        return options.observe?.(operation);
      },
    };
    bind(TOKENS.petCatalogue)
      .toResolvedValue((db) => new MongoPetCatalogue(db, settings), [DATABASE])
      .inSingletonScope();
    bind(TOKENS.apiKeys)
      .toResolvedValue((db) => new MongoApiKeys(db, settings), [DATABASE])
      .inSingletonScope();
    bind(TOKENS.apiKeyRegistry)
      .toResolvedValue((db) => new MongoApiKeyRegistry(db, settings), [DATABASE])
      .inSingletonScope();
  });
}

/** A failure in the background may not affect any request. */
function logFailure(log: Log, { name, outcome, error: err }: MongoOperation): void {
  if (outcome !== 'ok' && (name === 'ids.reserve' || name === 'keys.look_up')) {
    log.warn({ err, operation: name }, 'an operation on MongoDB failed');
  }
}
