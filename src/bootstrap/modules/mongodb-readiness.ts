import { ping, type Db } from '../../adapters/mongodb/mongodb-client.js';
import { isAnimalStoreError } from '../../domain/errors.js';
import type { StorageLog } from '../log/log.js';

/** How long the answer of a ping holds, in milliseconds. */
const PING_AGE_MS = 1000;

/** Whether the server answers. Asks it once a second at most, however often this is called. Logs a refusal. */
export function cachedPing(db: Db, log: StorageLog): () => Promise<boolean> {
  let askedAt = Number.NEGATIVE_INFINITY;
  let answer = Promise.resolve(false);
  return () => {
    if (performance.now() - askedAt < PING_AGE_MS) return answer;
    askedAt = performance.now();
    answer = ping(db).then(
      () => true,
      (err: unknown) => {
        if (!isAnimalStoreError(err)) log.error({ err }, 'the MongoDB server refuses a ping');
        return false;
      },
    );
    return answer;
  };
}
