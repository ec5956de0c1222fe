/** A value of SQLite, as its statements accept and return it. */
export type SqlValue = null | number | bigint | string | Uint8Array;

/**
 * A row of a result: an array of its values in the order of the columns. On Node 22.13 to 22.15, and for a statement without
 * `setReturnArrays`, it is an object whose members have the names of the columns.
 */
export type Row = readonly SqlValue[] | Readonly<Record<string, SqlValue>>;

/** The parts of a prepared statement that are used here. */
export interface Statement {
  get(...parameters: readonly SqlValue[]): Row | undefined;
  all(...parameters: readonly SqlValue[]): Row[];
  run(...parameters: readonly SqlValue[]): {
    readonly changes: number | bigint;
    readonly lastInsertRowid: number | bigint;
  };
  /** Whether it reads integers as `bigint`. A `number` cannot hold every int64. */
  setReadBigInts(enabled: boolean): void;
  /** Whether its rows are arrays, which take about half as long as objects. Since Node 22.16. */
  setReturnArrays?(enabled: boolean): void;
}

/** The parts of Node's `DatabaseSync`, a connection to a database, that are used here. */
export interface DatabaseSync {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

/** The parts of Node's module `node:sqlite` that are used here. The types of Node 20 lack the module. */
interface NodeSqlite {
  readonly DatabaseSync: new (file: string, options?: { readonly readOnly?: boolean }) => DatabaseSync;
}

const nodeSqlite = process.getBuiltinModule('node:sqlite') as NodeSqlite | undefined;
if (nodeSqlite === undefined) {
  throw new Error(
    `animal-store/sqlite needs Node.js 22.13 or newer, for the module node:sqlite; this is ${process.version}`,
  );
}

export function valuesOf(row: Row): readonly SqlValue[] {
  return Array.isArray(row) ? (row as readonly SqlValue[]) : Object.values(row);
}

/** It blocks the thread while it works. */
export const { DatabaseSync } = nodeSqlite;
