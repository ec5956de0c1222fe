import type { Db, Document } from 'mongodb';
import type { OperationLimits } from '../operation.js';
import { mayRetryAtOnce } from '../unavailable-errors.js';

/** What the command `find` is given here: its members are those of MongoDB's manual. */
export interface Find {
  readonly filter: Document;
  readonly sort?: Document;
  readonly hint?: Document;
  readonly limit: number;
}

const MAJORITY = { level: 'majority' } as const;

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
  { filter, sort, hint, limit }: Find,
  limits: OperationLimits,
): Promise<Document[]> {
  const send = (): Promise<Document> => {
    const { maxTimeMS, signal } = limits.startCall();
    // A literal, which V8 makes much faster than a copy of `Find`.
    const command: Document = {
      find: collection,
      filter,
      limit,
      batchSize: limit,
      singleBatch: true,
      readConcern: MAJORITY,
      maxTimeMS,
    };
    if (sort !== undefined) command['sort'] = sort;
    if (hint !== undefined) command['hint'] = hint;
    // What `READ_OPTIONS` says, as far as the defaults of `Db.command` differ. It inherits no option of the client, reads from
    // the primary, and copies its options several times, so each of them costs CPU time.
    return db.command(command, { promoteLongs: false, promoteBuffers: true, signal });
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
