import type { FilePet, FilePetsOptions } from '../../adapters/files/new-pets.js';
import { importWith } from '../optional-package.js';

/** The formats of a file of new animals. */
export const FORMATS = ['ndjson', 'csv'] as const;
export type Format = (typeof FORMATS)[number];

const FORMAT_OF: ReadonlyMap<string, Format> = new Map([
  ['ndjson', 'ndjson'],
  ['jsonl', 'ndjson'],
  ['csv', 'csv'],
]);

function formatOf(path: string): Format | undefined {
  return FORMAT_OF.get(/\.([^.]+)$/.exec(path)?.[1]?.toLowerCase() ?? '');
}

/** Reads the animals of a file. */
export type ReadPets = (chunks: AsyncIterable<Uint8Array>, options?: FilePetsOptions) => AsyncIterable<FilePet>;

/** What reads the animals of a file, by its format, which its extension tells if it is not given. */
export async function readerOf(path: string, format = formatOf(path)): Promise<ReadPets> {
  if (format === undefined)
    throw new Error(`the name of ${path} does not tell its format: say --format ndjson or --format csv`);
  if (format === 'ndjson') return (await import('../../adapters/files/ndjson-pets.js')).ndjsonPetsOf;
  const { csvPetsOf } = await importWith(
    'csv-parse',
    'an import of CSV',
    async () => import('../../adapters/files/csv-pets.js'),
  );
  return csvPetsOf;
}
