/** A statement, which each connection prepares once. */
export interface Statement {
  /** Identifies the text. */
  readonly name: string;
  readonly text: string;
}

/** A value of a statement, or of a row, in PostgreSQL's text format. */
export type Text = string | null;

/** A value of a statement. A list becomes an array of PostgreSQL. */
export type Value = Text | readonly Text[];

/** The values of a row, in the order of its columns. */
export type Row = readonly Text[];

/** Runs a statement. Each connection prepares one with a name once. Several statements in one text have no values, and no rows. */
export type RunStatement = (statement: {
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly Value[];
}) => Promise<readonly Row[]>;
