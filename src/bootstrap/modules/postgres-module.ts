import { ContainerModule } from 'inversify';
import { consoleLog, type Log } from '../../adapters/http/pipeline/log.js';
import type { PostgresDatabaseOptions } from '../../adapters/postgres/open-postgres-database.js';
import type { ConnectionAttempt, PostgresDatabase } from '../../adapters/postgres/postgres-database.js';
import { importWith } from '../settings/optional-package.js';
import { token, TOKENS } from '../tokens.js';

const DATABASE = token<PostgresDatabase>('PostgresDatabase');

export interface PostgresMeter {
  /** Called when a connection was opened, or none could be had. */
  readonly onConnection: (attempt: ConnectionAttempt) => void;
}

/** Bound if metrics are on. */
export const POSTGRES_METER = token<PostgresMeter>('PostgresMeter');

/** The options of {@link postgresModule}. */
export interface PostgresModuleOptions extends PostgresDatabaseOptions {
  /** The servers and the database. The container connects to it, and closes the connections when it is unbound. */
  readonly url: string;
  /** @default warnings and errors on the console */
  readonly log?: Log | undefined;
}

/**
 * Binds the catalogue, the API keys and their registry in a PostgreSQL database. Load it with `loadAsync`, and resolve with
 * `getAsync`, which connects and, by default, creates missing tables. The driver is loaded with the module, not with this file.
 *
 * @example
 * await container.loadAsync(postgresModule({ url: 'postgres://app:secret@db1,db2/animals' }));
 */
export function postgresModule({
  url,
  log = consoleLog,
  onConnection,
  ...options
}: PostgresModuleOptions): ContainerModule {
  return new ContainerModule(async ({ bind }) => {
    const { openPostgresDatabase } = await importWith(
      'pg',
      'postgresModule',
      async () => import('../../adapters/postgres/open-postgres-database.js'),
    );
    const { PostgresApiKeyRegistry } = await import('../../adapters/postgres/postgres-api-key-registry.js');
    const { PostgresApiKeys } = await import('../../adapters/postgres/postgres-api-keys.js');
    const { PostgresPetCatalogue } = await import('../../adapters/postgres/postgres-pet-catalogue.js');

    const logConnection = connectionLog(log);
    bind(DATABASE)
      .toResolvedValue(
        async (meter: PostgresMeter | undefined) =>
          openPostgresDatabase(url, {
            ...options,
            onConnection(attempt) {
              meter?.onConnection(attempt);
              logConnection(attempt);
              onConnection?.(attempt);
            },
          }),
        [{ serviceIdentifier: POSTGRES_METER, optional: true }],
      )
      .inSingletonScope()
      .onDeactivation(async (database) => database.close());
    bind(TOKENS.petCatalogue)
      .toResolvedValue((database) => new PostgresPetCatalogue(database), [DATABASE])
      .inSingletonScope();
    bind(TOKENS.apiKeys)
      .toResolvedValue((database) => new PostgresApiKeys(database), [DATABASE])
      .inSingletonScope();
    bind(TOKENS.apiKeyRegistry)
      .toResolvedValue((database) => new PostgresApiKeyRegistry(database), [DATABASE])
      .inSingletonScope();
    bind(TOKENS.isReady)
      .toResolvedValue(
        (database) => async () => {
          await database.check();
          return true;
        },
        [DATABASE],
      )
      .inSingletonScope();
  });
}

/** Another host means that another server is the primary. */
function connectionLog(log: Log): (attempt: ConnectionAttempt) => void {
  let last: string | undefined;
  return ({ host, error }) => {
    if (error !== undefined) return;
    if (last !== undefined && last !== host) log.warn({ host, last }, 'the PostgreSQL primary is on another host');
    last = host;
  };
}
