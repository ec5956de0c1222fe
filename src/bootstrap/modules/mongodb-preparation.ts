import {
  CollationError,
  describeIndex,
  INDEXES,
  makeIndexes,
  missingIndexes,
} from '../../adapters/mongodb/schema/indexes.js';
import type { Db } from '../../adapters/mongodb/client.js';
import { retryWhileUnavailable } from '../../adapters/mongodb/connect-mongo-client.js';
import { checkShardKeys, ShardingError } from '../../adapters/mongodb/schema/shard-keys.js';
import { ConfigError } from '../settings/config-error.js';

export interface PreparationOptions {
  readonly migrate: boolean;
  readonly deadlineMs: number;
  /** Called once, with the reason, if the server does not answer at first. */
  readonly onWait: (reason: string) => void;
}

/**
 * Checks the shard keys of a database and creates missing indexes. Waits for the server as `connectMongoClient` does. Rejects
 * with a `ConfigError` if a shard key is wrong, or, if indexes are not to be created, with one that names each missing index.
 */
export async function prepareDatabase(db: Db, { migrate, deadlineMs, onWait }: PreparationOptions): Promise<void> {
  const prepare = migrate ? makeIndexes : missingIndexes;
  const missing = await withConfigError(
    retryWhileUnavailable({ onWait }, async () => {
      await checkShardKeys(db, deadlineMs);
      return prepare(db, INDEXES, deadlineMs);
    }),
  );
  if (migrate || missing.length === 0) return;
  throw new ConfigError(
    missing.map((index) => `the database lacks the index ${describeIndex(index)}: make it with animal-store migrate`),
  );
}

/** The same promise, but it rejects with a `ConfigError` for shard keys and collations that the service does not support. */
export async function withConfigError<T>(running: Promise<T>): Promise<T> {
  try {
    return await running;
  } catch (error) {
    throw error instanceof ShardingError || error instanceof CollationError ? new ConfigError(error.errors) : error;
  }
}
