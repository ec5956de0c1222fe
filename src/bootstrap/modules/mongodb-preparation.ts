import { describeIndex, INDEXES, makeIndexes, missingIndexes } from '../../adapters/mongodb/indexes.js';
import type { Db } from '../../adapters/mongodb/mongodb-client.js';
import { patiently } from '../../adapters/mongodb/patiently.js';
import { ConfigError } from '../settings/config-error.js';

/** How a database is prepared. */
export interface PreparationOptions {
  /** Whether missing indexes are made; otherwise they are an error. */
  readonly migrate: boolean;
  readonly deadlineMs: number;
  /** Called once, with the reason, if the server does not answer at first. */
  readonly onWait: (reason: string) => void;
}

/**
 * Makes the indexes that a database lacks, as patient with its server as `connectMongoClient`. Rejects with a `ConfigError`
 * that names each of them if they are not to be made.
 */
export async function prepareDatabase(db: Db, { migrate, deadlineMs, onWait }: PreparationOptions): Promise<void> {
  const prepare = migrate ? makeIndexes : missingIndexes;
  const missing = await patiently({ onWait }, async () => prepare(db, INDEXES, deadlineMs));
  if (migrate || missing.length === 0) return;
  throw new ConfigError(
    missing.map((index) => `the database lacks the index ${describeIndex(index)}: make it with animal-store migrate`),
  );
}
