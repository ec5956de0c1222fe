import {
  CollationError,
  describeIndex,
  INDEXES,
  makeIndexes,
  missingIndexes,
} from '../../adapters/mongodb/schema/indexes.js';
import type { Db } from '../../adapters/mongodb/client.js';
import { patiently } from '../../adapters/mongodb/connect-mongo-client.js';
import { checkShardKeys, ShardingError } from '../../adapters/mongodb/schema/shard-keys.js';
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
 * Checks the shard keys of a database and makes the indexes that it lacks, as patient with its server as
 * `connectMongoClient`. Rejects with a `ConfigError` if a shard key is wrong, and with one that names each missing index if they
 * are not to be made.
 */
export async function prepareDatabase(db: Db, { migrate, deadlineMs, onWait }: PreparationOptions): Promise<void> {
  const prepare = migrate ? makeIndexes : missingIndexes;
  const missing = await withConfigError(
    patiently({ onWait }, async () => {
      await checkShardKeys(db, deadlineMs);
      return prepare(db, INDEXES, deadlineMs);
    }),
  );
  if (migrate || missing.length === 0) return;
  throw new ConfigError(
    missing.map((index) => `the database lacks the index ${describeIndex(index)}: make it with animal-store migrate`),
  );
}

/** The same promise, but shards and collations that do not suit the service are a `ConfigError`. */
export async function withConfigError<T>(running: Promise<T>): Promise<T> {
  try {
    return await running;
  } catch (error) {
    throw error instanceof ShardingError || error instanceof CollationError ? new ConfigError(error.errors) : error;
  }
}
