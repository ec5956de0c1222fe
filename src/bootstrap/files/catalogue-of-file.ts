import { errorInLine } from '../../adapters/files/lines.js';
import { recordsOf } from '../../adapters/files/store-file.js';
import { InMemoryPetCatalogue } from '../../adapters/in-memory/in-memory-pet-catalogue.js';
import { restoreStore } from '../../application/moving/restore-store.js';
import type { StoreRecord } from '../../application/moving/store-record.js';
import { holdsExport, inputFile, withFileName, type InputFile } from './input-file.js';
import { readerOf } from './pets-file.js';

/**
 * A catalogue in memory that holds the animals of a file: those of NDJSON or CSV with the ids 1, 2, 3 and so on, those of an export
 * with their own. An export's API keys are left out.
 *
 * Rejects with an error that names the file, and the line if there is one, for whatever is wrong with it.
 */
export async function catalogueOfFile(path: string): Promise<InMemoryPetCatalogue> {
  const catalogue = new InMemoryPetCatalogue();
  const file = await inputFile(path, { isReadTwice: true });
  await withFileName(file.name, stock(catalogue, path, file));
  return catalogue;
}

async function stock(catalogue: InMemoryPetCatalogue, path: string, file: InputFile): Promise<void> {
  if (await holdsExport(file)) {
    const nameOf = (place: number): string => `line ${place + 1}`;
    await restoreStore({ catalogue }, withoutKeys(recordsOf(file.read())), { nameOf });
    return;
  }
  const read = await readerOf(path);
  for await (const { line, newPet, fault } of read(file.read())) {
    if (fault !== undefined) throw errorInLine(line, fault);
    await catalogue.add(newPet);
  }
}

async function* withoutKeys(records: AsyncIterable<StoreRecord>): AsyncGenerator<StoreRecord> {
  for await (const record of records) if (record.kind !== 'apiKey') yield record;
}
