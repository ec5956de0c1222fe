import type { Db } from 'mongodb';
import type { ApiKeys, Principal } from '../../domain/api-keys/api-keys.js';
import { RememberedApiKeys } from '../kit/remembered-api-keys.js';
import { COLLECTIONS, findDocuments } from './collections.js';
import type { ApiKeyDocument } from './mongo-api-key-registry.js';
import { operationSettings, runOperation, type OperationOptions } from './operation.js';

/**
 * {@link ApiKeys} in the collection `apiKeys` of a MongoDB database, which holds their SHA-256 and no key. A
 * `MongoApiKeyRegistry` issues them.
 *
 * Keys that were verified are remembered for a few seconds, as `RememberedApiKeys` of `animal-store/adapter-kit` describes. The
 * database counts as silent from when a look-up has had no answer within `deadlineMs`.
 */
export class MongoApiKeys implements ApiKeys {
  readonly #keys: RememberedApiKeys;

  /**
   * @param db Of a client that the caller opens and closes. Its user needs the right to read.
   * @throws TypeError for a deadline that is not an integer of at least 1.
   */
  constructor(db: Db, options: OperationOptions = {}) {
    const settings = operationSettings(options);
    // 0 stands for no maximum.
    const connections = db.client.options.maxPoolSize || Infinity;
    this.#keys = new RememberedApiKeys(
      async (digest) =>
        runOperation('keys.look_up', settings, async () => {
          const find = { find: COLLECTIONS.apiKeys, filter: { digest: Buffer.from(digest, 'hex') }, limit: 1 };
          const [document] = await findDocuments(db, find, settings.deadlineMs);
          return document as ApiKeyDocument | undefined;
        }),
      { concurrentLookUps: Math.min(16, Math.ceil(connections / 2)) },
    );
  }

  async verify(key: string): Promise<Principal | undefined> {
    return this.#keys.verify(key);
  }
}
