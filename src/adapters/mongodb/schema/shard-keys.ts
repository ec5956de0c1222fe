import type { Db, Document } from 'mongodb';
import { helloOf } from '../client.js';
import { READ_OPTIONS } from '../collections.js';
import { DEFAULT_DEADLINE_MS, withDeadline } from '../operation.js';
import { codeOf } from '../unavailable-errors.js';

/** The shards of a database do not suit the adapter. `message` says what is wrong, in one line for each collection. */
export class ShardingError extends Error {
  override readonly name = 'ShardingError';
  /** What is wrong, once for each collection. */
  readonly errors: readonly string[];

  constructor(errors: readonly string[], options?: ErrorOptions) {
    super(errors.join('\n'), options);
    this.errors = errors;
  }
}

/** The collections in which each `_id` must be unique across all shards. */
const UNIQUE_BY_ID = ['pets', 'creations'] as const;
const UNAUTHORIZED = 13;

/**
 * Rejects with a {@link ShardingError} if `pets` or `creations` is sharded by anything but its `_id`: MongoDB keeps `_id` unique
 * on each shard only, so several animals may then get one id. Accepts every server that is not a mongos.
 *
 * @param deadlineMs How long each of two questions to the server may take, in milliseconds.
 */
export async function checkShardKeys(db: Db, deadlineMs = DEFAULT_DEADLINE_MS): Promise<void> {
  const keys = await shardKeysOf(db, deadlineMs);
  const errors = UNIQUE_BY_ID.flatMap((name) => {
    const key = keys.get(name);
    if (key === undefined || isById(key)) return [];
    const found = JSON.stringify(key);
    return [`${name} is sharded by ${found}, which lets several of its documents have one _id: ${RULE}`];
  });
  if (errors.length > 0) throw new ShardingError(errors);
}

const RULE = 'shard it by {"_id":"hashed"} or {"_id":1} (reshardCollection)';

/** The shard keys of those of these collections that are sharded, by name. */
async function shardKeysOf(db: Db, deadlineMs: number): Promise<ReadonlyMap<string, Document>> {
  // Every mongos from MongoDB 4.4 on knows `hello`.
  if ((await helloOf(db, deadlineMs))['msg'] !== 'isdbgrid') return new Map();
  const prefix = `${db.databaseName}.`;
  const config = db.client.db('config', { ...READ_OPTIONS, readPreference: 'primary' });
  const collections = config.collection<{ _id: string; key: Document }>('collections');
  // MongoDB 8 also lists collections that are not sharded there, as "unsplittable".
  const filter = {
    _id: { $in: UNIQUE_BY_ID.map((name) => prefix + name) },
    dropped: { $ne: true },
    unsplittable: { $ne: true },
  };
  try {
    const found = await withDeadline(deadlineMs, async (limits) =>
      collections.find(filter, limits.startCall()).toArray(),
    );
    return new Map(found.map(({ _id, key }) => [_id.slice(prefix.length), key]));
  } catch (error) {
    if (codeOf(error) !== UNAUTHORIZED) throw error;
    const right = "{ resource: { db: 'config', collection: 'collections' }, actions: ['find'] }";
    throw new ShardingError([`the shard keys cannot be checked: the user needs the privilege ${right}`], {
      cause: error,
    });
  }
}

function isById(key: Document): boolean {
  const [[name, kind] = [], ...others] = Object.entries(key);
  return name === '_id' && others.length === 0 && (kind === 'hashed' || Number(kind) === 1);
}
