import type { Db, Document } from 'mongodb';
import { READ_OPTIONS } from '../bson-reading.js';
import type { Limits } from '../operation.js';
import { mayRetryAtOnce } from '../unavailable-errors.js';

/** What the command `find` is given here: its members are those of MongoDB's manual. */
export interface Find {
  readonly filter: Document;
  readonly sort?: Document;
  readonly hint?: Document;
  readonly limit: number;
}

/**
 * Reads documents by one `find` command: those that a majority has, from the primary.
 *
 * Sends the command by `Db.command`. The cursor that `Collection.find` makes costs more CPU time than the rest of the command
 * (ADR 101). As with a cursor, another server or connection is tried once if the first is lost; `retryReads=false` in the URL
 * turns that off.
 */
export async function readDocuments(
  db: Db,
  collection: string,
  { limit, ...find }: Find,
  limits: Limits,
): Promise<Document[]> {
  const attempt = async (): Promise<Document[]> => {
    const { maxTimeMS, signal } = limits.startCall();
    const command = {
      find: collection,
      ...find,
      limit,
      batchSize: limit,
      singleBatch: true,
      readConcern: { level: 'majority' },
      maxTimeMS,
    };
    const { cursor } = await db.command(command, { ...READ_OPTIONS, readPreference: 'primary', signal });
    return (cursor as { readonly firstBatch: Document[] }).firstBatch;
  };
  try {
    return await attempt();
  } catch (error) {
    if (limits.signal.aborted || !db.client.options.retryReads || !mayRetryAtOnce(error)) throw error;
    return attempt();
  }
}
