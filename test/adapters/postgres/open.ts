import {
  openPostgresDatabase,
  type PostgresDatabase,
  type PostgresDatabaseOptions,
} from '../../../src/adapters/postgres/index.js';
import { endWithTest } from '../../support/cleanup.js';
import { PATIENT } from '../../support/patience.js';

/** Opens a database until the test ends. */
export async function openUntilEnd(url: string, options: PostgresDatabaseOptions = PATIENT): Promise<PostgresDatabase> {
  const database = await openPostgresDatabase(url, options);
  endWithTest(async () => database.close());
  return database;
}
