/** The formats of a file of new animals. */
export const FORMATS = ['ndjson', 'csv'] as const;
export type Format = (typeof FORMATS)[number];

const FORMAT_OF: ReadonlyMap<string, Format> = new Map([
  ['ndjson', 'ndjson'],
  ['jsonl', 'ndjson'],
  ['csv', 'csv'],
]);

/** The format that the extension of a file tells; `undefined` if it tells none. */
export function formatOf(path: string): Format | undefined {
  return FORMAT_OF.get(/\.([^.]+)$/.exec(path)?.[1]?.toLowerCase() ?? '');
}
