import { ContainerModule } from 'inversify';
import type { Db, MongoClient } from '../../adapters/mongodb/client.js';
import {
  DEFAULT_DEADLINE_MS,
  DEFAULT_VERIFY_DEADLINE_MS,
  type MongoObserver,
  type MongoOperation,
} from '../../adapters/mongodb/operation.js';
import { isAnimalStoreError } from '../../domain/errors.js';
import { importWith } from '../optional-package.js';
import { consoleStorageLog, type StorageLog } from '../log/log.js';
import { onceASecond } from '../once-a-second.js';
import { token, TOKENS } from '../tokens.js';

const CLIENT = token<MongoClient>('MongoClient');
const DATABASE = token<Db>('MongoDatabase');
const OBSERVER = token<MongoObserver>('MongoObserver');

/** Measures what the MongoDB adapter and the driver do. */
export interface MongodbMeter {
  /** Called when an operation on MongoDB has ended. */
  readonly onOperation: MongoObserver;
  /** Measures the connection pool of a client that is not connected yet. */
  watchClient(client: MongoClient): void;
}

/** Bound if metrics are on. */
export const MONGODB_METER = token<MongodbMeter>('MongodbMeter');
const OPTIONAL_METER = { serviceIdentifier: MONGODB_METER, optional: true } as const;

/** The options of {@link mongodbModule}: the database, and the log. */
export type MongodbModuleOptions = (
  | {
      /** The deployment and the database. The container connects to it, and closes the connection when it is unbound. */
      readonly url: string;
    }
  | {
      /** Your own client. The container neither connects nor closes it. */
      readonly client: MongoClient;
      /** @default the one in the client's URL */
      readonly databaseName?: string;
    }
) & {
  /** @default warnings and errors on the console */
  readonly log?: StorageLog;
  /** How long one operation may take, in milliseconds. @default 5000 */
  readonly deadlineMs?: number | undefined;
  /** Whether to create missing indexes; otherwise a missing index is an error. @default true */
  readonly migrate?: boolean;
  /** Called when an operation on MongoDB has ended, for metrics. @default none */
  readonly observe?: MongoObserver;
};

/**
 * Binds the catalogue, the API keys and their registry in a MongoDB database. Load it with `loadAsync`, and resolve with
 * `getAsync`, which creates missing indexes. The driver is loaded with the module, not with this file.
 *
 * @example
 * await container.loadAsync(mongodbModule({ url: 'mongodb://127.0.0.1:27017/animals?replicaSet=rs0' }));
 */
export function mongodbModule(options: MongodbModuleOptions): ContainerModule {
  const { log = consoleStorageLog, deadlineMs = DEFAULT_DEADLINE_MS, migrate = true } = options;
  return new ContainerModule(async ({ bind }) => {
    const { databaseNameOf } = await importWith(
      'mongodb',
      'mongodbModule',
      async () => import('../../adapters/mongodb/mongodb-url.js'),
    );
    const { MongoApiKeys } = await import('../../adapters/mongodb/api-keys/mongo-api-keys.js');
    const { MongoPetCatalogue } = await import('../../adapters/mongodb/pets/mongo-pet-catalogue.js');
    const { connectMongoClient } = await import('../../adapters/mongodb/connect-mongo-client.js');
    const { MongoApiKeyRegistry } = await import('../../adapters/mongodb/api-keys/mongo-api-key-registry.js');
    const { prepareDatabase } = await import('./mongodb-preparation.js');

    // Operations that fail because the container is unbound are not logged.
    let isInUse = true;
    const stop = (): void => void (isInUse = false);

    if ('client' in options) bind(CLIENT).toConstantValue(options.client);
    else {
      bind(CLIENT)
        .toResolvedValue(
          async (meter: MongodbMeter | undefined) =>
            connectMongoClient(options.url, { deadlineMs, onWait: waitLog(log), onClient: meter?.watchClient }),
          [OPTIONAL_METER],
        )
        .inSingletonScope()
        .onDeactivation(async (client) => {
          stop();
          await client.close();
        });
    }
    const databaseName = () => ('client' in options ? options.databaseName : databaseNameOf(options.url));
    bind(DATABASE)
      .toResolvedValue((client) => client.db(databaseName()), [CLIENT])
      .inSingletonScope();

    bind(OBSERVER)
      .toResolvedValue(
        (meter: MongodbMeter | undefined): MongoObserver =>
          (operation) => {
            options.observe?.(operation);
            meter?.onOperation(operation);
            if (isInUse) logFailure(log, operation);
          },
        [OPTIONAL_METER],
      )
      .inSingletonScope()
      .onDeactivation(stop);
    bind(TOKENS.petCatalogue)
      .toResolvedValue((db, observe) => new MongoPetCatalogue(db, { deadlineMs, observe }), [DATABASE, OBSERVER])
      .inSingletonScope()
      .onActivation(async (context, catalogue) => {
        await prepareDatabase(await context.getAsync(DATABASE), { migrate, deadlineMs, onWait: waitLog(log) });
        return catalogue;
      });
    const verifyDeadlineMs = Math.min(DEFAULT_VERIFY_DEADLINE_MS, deadlineMs);
    bind(TOKENS.apiKeys)
      .toResolvedValue(
        (db, observe) => new MongoApiKeys(db, { verifyDeadlineMs, deadlineMs, observe }),
        [DATABASE, OBSERVER],
      )
      .inSingletonScope();
    bind(TOKENS.apiKeyRegistry)
      .toResolvedValue((db, observe) => new MongoApiKeyRegistry(db, { deadlineMs, observe }), [DATABASE, OBSERVER])
      .inSingletonScope();

    bind(TOKENS.isReady)
      .toResolvedValue((db) => onceASecond(async () => answers(db, log)), [DATABASE])
      .inSingletonScope();
  });
}

function waitLog(log: StorageLog): (reason: string) => void {
  return (reason) => log.info({ reason }, 'waiting for the MongoDB server');
}

/** Whether the server answers a ping. Logs a refusal. */
async function answers(db: Db, log: StorageLog): Promise<boolean> {
  const { ping } = await import('../../adapters/mongodb/client.js');
  try {
    await ping(db);
    return true;
  } catch (err) {
    if (!isAnimalStoreError(err)) log.error({ err }, 'the MongoDB server refuses a ping');
    return false;
  }
}

/** Logs an operation that failed in the background, because its failure may not affect any request. */
function logFailure(log: StorageLog, { name, outcome, error: err }: MongoOperation): void {
  if (outcome !== 'ok' && (name === 'ids.reserve' || name === 'keys.look_up')) {
    log.warn({ err, operation: name }, 'an operation on MongoDB failed');
  }
}
