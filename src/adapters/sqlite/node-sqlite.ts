export type SqlValue = null | number | bigint | string | Uint8Array;

/** An array of values; on Node 22.13 to 22.15, and without `setReturnArrays`, an object whose members have the names of the columns. */
export type Row = readonly SqlValue[] | Readonly<Record<string, SqlValue>>;

export interface Statement {
  get(...parameters: readonly SqlValue[]): Row | undefined;
  all(...parameters: readonly SqlValue[]): Row[];
  run(...parameters: readonly SqlValue[]): {
    readonly changes: number | bigint;
    readonly lastInsertRowid: number | bigint;
  };
  /** A `number` cannot hold every int64. */
  setReadBigInts(enabled: boolean): void;
  /** Arrays take about half as long as objects. Since Node 22.16. */
  setReturnArrays?(enabled: boolean): void;
}

export interface DatabaseSync {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

/** The types of Node 20 lack the module. */
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
