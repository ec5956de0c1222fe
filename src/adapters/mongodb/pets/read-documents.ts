import type { Db, Document } from 'mongodb';
import type { OperationLimits } from '../operation.js';
import { runCommand } from './run-command.js';

/** What the command `find` is given here: its members are those of MongoDB's manual. */
export interface Find {
  readonly filter: Document;
  readonly sort?: Document;
  readonly hint?: Document;
  readonly limit: number;
}

const MAJORITY = { level: 'majority' } as const;

/** Reads documents by one `find` command: those that a majority has, from the primary. */
export async function readDocuments(
  db: Db,
  collection: string,
  { filter, sort, hint, limit }: Find,
  limits: OperationLimits,
): Promise<Document[]> {
  // A literal, which V8 makes much faster than a copy of `Find`.
  const command: Document = {
    find: collection,
    filter,
    limit,
    batchSize: limit,
    singleBatch: true,
    readConcern: MAJORITY,
  };
  if (sort !== undefined) command['sort'] = sort;
  if (hint !== undefined) command['hint'] = hint;
  const { cursor } = await runCommand(db, command, 'retryReads', limits);
  return (cursor as { readonly firstBatch: Document[] }).firstBatch;
}
