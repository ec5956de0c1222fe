import type { FilePet, FilePetsOptions } from '../../adapters/files/new-pets.js';
import { ndjsonPetsOf } from '../../adapters/files/ndjson-pets.js';
import { importWith } from '../optional-package.js';
import { formatOf } from './formats.js';

/** Reads the animals of a file. */
export type ReadPets = (chunks: AsyncIterable<Uint8Array>, options?: FilePetsOptions) => AsyncIterable<FilePet>;

/** What reads the animals of a file, by its format, which its extension tells if it is not given. */
export async function readerOf(path: string, format = formatOf(path)): Promise<ReadPets> {
  if (format === undefined)
    throw new Error(`the name of ${path} does not tell its format: say --format ndjson or --format csv`);
  if (format === 'ndjson') return ndjsonPetsOf;
  const { csvPetsOf } = await importWith(
    'csv-parse',
    'an import of CSV',
    async () => import('../../adapters/files/csv-pets.js'),
  );
  return csvPetsOf;
}
