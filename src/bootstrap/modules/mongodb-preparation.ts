import { describeIndex, INDEXES, makeIndexes, missingIndexes } from '../../adapters/mongodb/indexes.js';
import type { Db } from '../../adapters/mongodb/mongodb-client.js';
import { ConfigError } from '../settings/config-error.js';

/** Makes the indexes that a database lacks. Rejects with a `ConfigError` that names each of them if they are not to be made. */
export async function prepareDatabase(
  db: Db,
  { migrate, deadlineMs }: { readonly migrate: boolean; readonly deadlineMs: number },
): Promise<void> {
  if (migrate) {
    await makeIndexes(db, INDEXES, deadlineMs);
    return;
  }
  const missing = await missingIndexes(db, INDEXES, deadlineMs);
  if (missing.length > 0) {
    throw new ConfigError(
      missing.map((index) => `the database lacks the index ${describeIndex(index)}: make it with animal-store migrate`),
    );
  }
}
