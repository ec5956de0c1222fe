import { ping, type Db } from '../../adapters/mongodb/client.js';
import { isAnimalStoreError } from '../../domain/errors.js';
import type { StorageLog } from '../log/log.js';
import type { ReadinessCheck } from '../tokens.js';
import { cachedReadiness } from './cached-readiness.js';

/** Whether the server answers. Asks it at most once a second, however often this is called. Logs a refusal. */
export function cachedPing(db: Db, log: StorageLog): ReadinessCheck {
  return cachedReadiness(async () =>
    ping(db).then(
      () => true,
      (err: unknown) => {
        if (!isAnimalStoreError(err)) log.error({ err }, 'the MongoDB server refuses a ping');
        return false;
      },
    ),
  );
}
