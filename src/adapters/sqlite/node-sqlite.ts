/** A value of SQLite, as its statements take and give it. */
export type SqlValue = null | number | bigint | string | Uint8Array;

/** A row of a result, by the names of its columns. */
export type Row = Readonly<Record<string, SqlValue>>;

/** The parts of a prepared statement that are used here. */
export interface Statement {
  get(...parameters: readonly SqlValue[]): Row | undefined;
  all(...parameters: readonly SqlValue[]): Row[];
  run(...parameters: readonly SqlValue[]): { readonly lastInsertRowid: number | bigint };
  /** Whether it reads integers as `bigint`, which alone holds every int64. */
  setReadBigInts(enabled: boolean): void;
}

/** The parts of a connection that are used here. */
export interface Connection {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

/** The parts of Node's module `node:sqlite` that are used here. The types of Node 20 do not have it. */
interface NodeSqlite {
  readonly DatabaseSync: new (file: string) => Connection;
}

const nodeSqlite = process.getBuiltinModule('node:sqlite') as NodeSqlite | undefined;
if (nodeSqlite === undefined) {
  throw new Error(
    `animal-store/sqlite needs Node.js 22.13 or newer, for the module node:sqlite; this is ${process.version}`,
  );
}

/** A connection to an SQLite database, which blocks the thread while it works. */
export const { DatabaseSync } = nodeSqlite;
