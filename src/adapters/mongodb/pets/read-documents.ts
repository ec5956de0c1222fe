import type { Db, Document } from 'mongodb';
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
 * What `READ_OPTIONS` says, as far as the defaults of `Db.command` differ: it inherits no option of the client, reads from the
 * primary, and copies its options several times, so that each of them costs CPU time.
 */
const COMMAND_OPTIONS = { promoteLongs: false, promoteBuffers: true } as const;

/**
 * Reads documents by one `find` command: those that a majority has, from the primary.
 *
 * Sends the command by `Db.command`. The cursor that `Collection.find` makes costs more CPU time than the rest of the command
 * (ADR 101). As with a cursor, another server or connection is tried once if the first is lost; `retryReads=false` in the URL
 * turns that off.
 */
export async function readDocuments(db: Db, collection: string, find: Find, limits: Limits): Promise<Document[]> {
  const send = (): Promise<Document> => {
    const { maxTimeMS, signal } = limits.startCall();
    const command = {
      find: collection,
      ...find,
      batchSize: find.limit,
      singleBatch: true,
      readConcern: { level: 'majority' },
      maxTimeMS,
    };
    return db.command(command, { ...COMMAND_OPTIONS, signal });
  };
  try {
    return firstBatchOf(await send());
  } catch (error) {
    if (limits.signal.aborted || !db.client.options.retryReads || !mayRetryAtOnce(error)) throw error;
    return firstBatchOf(await send());
  }
}

function firstBatchOf({ cursor }: Document): Document[] {
  return (cursor as { readonly firstBatch: Document[] }).firstBatch;
}
