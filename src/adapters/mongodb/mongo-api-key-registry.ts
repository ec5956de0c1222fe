import type { Collection, Db, Document } from 'mongodb';
import type { ApiKey, ApiKeyRecord } from '../../domain/api-keys/api-key.js';
import type { ApiKeyPage, ApiKeyQuery, ApiKeyRegistry } from '../../domain/api-keys/api-keys.js';
import { collectionOptions, COLLECTIONS, findDocuments, insertUnlessTaken, type Find } from './collections.js';
import { operationSettings, runOperation, type OperationOptions, type OperationSettings } from './operation.js';

export interface ApiKeyDocument extends Omit<ApiKey, 'id'> {
  readonly _id: string;
  /** The SHA-256 of the key. */
  readonly digest: Buffer;
}

/**
 * An {@link ApiKeyRegistry} in the collection `apiKeys` of a MongoDB database, which holds the SHA-256 of each key.
 * `MongoApiKeys` verifies these keys. Call `prepareDatabase` before the first use of a database: without its index, digests are
 * not unique.
 */
export class MongoApiKeyRegistry implements ApiKeyRegistry {
  readonly #db: Db;
  readonly #keys: Collection<ApiKeyDocument>;
  readonly #settings: OperationSettings;

  /**
   * @param db Of a client that the caller opens and closes.
   * @throws TypeError for a deadline that is not an integer of at least 1.
   */
  constructor(db: Db, options: OperationOptions = {}) {
    this.#settings = operationSettings(options);
    this.#db = db;
    this.#keys = db.collection(COLLECTIONS.apiKeys, collectionOptions(this.#settings.deadlineMs));
  }

  async add({ id, digest, ...facts }: ApiKeyRecord): Promise<boolean> {
    const document: ApiKeyDocument = { _id: id, digest: Buffer.from(digest, 'hex'), ...facts };
    const taken = await runOperation('keys.add', this.#settings, async () => insertUnlessTaken(this.#keys, [document]));
    return taken.length === 0;
  }

  async list({ limit, after }: ApiKeyQuery): Promise<ApiKeyPage> {
    const filter = after === undefined ? {} : { _id: { $gt: String(after) } };
    const documents = await this.#read('keys.list', { filter, sort: { _id: 1 }, limit: limit + 1 });
    const keys = documents.slice(0, limit).map(toRecord);
    const last = keys.at(-1);
    return last !== undefined && documents.length > limit ? { keys, next: last.id } : { keys };
  }

  async find(id: string): Promise<ApiKeyRecord | undefined> {
    const [document] = await this.#read('keys.find', { filter: { _id: String(id) }, limit: 1 });
    return document === undefined ? undefined : toRecord(document);
  }

  /** The server compares and sets in one step, as it does for each document. */
  async replace(before: ApiKeyRecord, { expiresAt, revokedAt }: ApiKeyRecord): Promise<boolean> {
    const absent = { $exists: false } as const;
    const asItWas = {
      _id: before.id,
      expiresAt: before.expiresAt ?? absent,
      revokedAt: before.revokedAt ?? absent,
    };
    const update = { $set: { ...(expiresAt && { expiresAt }), ...(revokedAt && { revokedAt }) } };
    const { matchedCount } = await runOperation('keys.replace', this.#settings, async () =>
      this.#keys.updateOne(asItWas, update),
    );
    return matchedCount === 1;
  }

  #read(name: 'keys.list' | 'keys.find', find: Omit<Find, 'find'>): Promise<Document[]> {
    return runOperation(name, this.#settings, async () =>
      findDocuments(this.#db, { find: COLLECTIONS.apiKeys, ...find }, this.#settings.deadlineMs),
    );
  }
}

function toRecord(document: Document): ApiKeyRecord {
  const { _id, digest, ...facts } = document as ApiKeyDocument;
  return { id: _id, digest: digest.toString('hex'), ...facts };
}
