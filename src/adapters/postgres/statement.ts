/** Each connection prepares it once. */
export interface Statement {
  /** Identifies the text. */
  readonly name: string;
  readonly text: string;
}

/** In the text format of PostgreSQL. */
export type Text = string | null;

export type Value = Text | readonly Text[];

export type Row = readonly Text[];

/** Each connection prepares a statement with a name once. Several statements in one text have no values, and no rows. */
export type RunStatement = (statement: {
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly Value[];
}) => Promise<readonly Row[]>;
