import { createHash } from 'node:crypto';
import type { FilePet } from '../../adapters/files/new-pets.js';
import { importPets, type PetToImport } from '../../application/moving/import-pets.js';
import type { PetCatalogue } from '../../domain/pet-catalogue.js';
import { holdsExport, inputFile, withFileName, type InputFile } from '../files/input-file.js';
import { readerOf, type Format, type ReadPets } from '../files/pets-file.js';
import { counted } from './counted.js';
import { interruptible, type Interruption } from './interruption.js';
import { Progress } from './progress.js';

/** How many invalid lines are listed. */
const LISTED_MAX = 20;

interface RunOptions {
  readonly format: Format | undefined;
  readonly skipInvalid: boolean;
}

/**
 * Checks the animals of a file, and then creates them, each once by the digest of the file and its line.
 *
 * Rejects if a line is invalid and is not to be skipped.
 *
 * @param catalogue Where the animals are created. If it is left out, they are only checked.
 */
export async function runImport(path: string, options: RunOptions, catalogue?: PetCatalogue): Promise<void> {
  const { skipInvalid } = options;
  const read = await readerOf(path, options.format);
  const file = await inputFile(path, { isReadTwice: true });
  let progress: Progress | undefined;
  const early = {
    bySignal: () => `after ${progress?.done ?? '0 animals'}: run the same command again to continue`,
    byFailure: () =>
      progress && `stored so far: ${progress.atLeast}; run the same command again to continue, with the file unchanged`,
  };
  await interruptible(early, async ({ until }) => {
    if (await holdsExport(file)) {
      throw new Error(`${file.name} is an export: use restore, which stores its animals with their ids`);
    }
    const { valid, invalid, digest } = await withFileName(file.name, check(file, read, until));
    if (invalid > 0 && !(skipInvalid && catalogue !== undefined)) {
      const lines = counted(valid + invalid, 'line');
      throw new Error(
        `${file.name}: ${invalid} of ${lines} ${invalid === 1 ? 'is' : 'are'} invalid; nothing was stored`,
      );
    }
    if (catalogue === undefined) {
      console.log(`${counted(valid, 'animal')} can be imported`);
      return;
    }
    const sum = createHash('sha256');
    const shown = (progress = new Progress('animal', { size: file.size }));
    const pets = until(petsToImport(read(digesting(shown.read(file.read()), sum)), digest));
    const onProgress = (count: number): void => shown.reach(count);
    const importing = importPets({ catalogue }, pets, { onProgress }).finally(() => shown.clear());
    const { created, replayed } = await withFileName(file.name, importing);
    if (sum.digest('hex') !== digest) throw new Error(`${file.name} has changed while it was imported`);
    console.log(`imported ${counted(created, 'animal')} in ${shown.time()}`);
    if (replayed > 0) console.log(`already there: ${counted(replayed, 'animal')}`);
    if (invalid > 0) console.log(`skipped: ${counted(invalid, 'invalid line')}`);
  });
}

/** Reads a file for the first time. Resolves to the numbers of its valid and invalid animals, and to its SHA-256. */
async function check(file: InputFile, read: ReadPets, until: Interruption['until']) {
  const sum = createHash('sha256');
  const progress = new Progress('checked line', { size: file.size });
  const report = (line: string): void => {
    progress.clear();
    process.stderr.write(`${file.name}: ${line}\n`);
  };
  const onIgnored = (quotedName: string): void => report(`${quotedName} is ignored`);
  let [valid, invalid] = [0, 0];
  try {
    for await (const pet of until(read(digesting(progress.read(file.read()), sum), { onIgnored }))) {
      if (pet.fault === undefined) valid++;
      else if (++invalid <= LISTED_MAX) report(`line ${pet.line}: ${pet.fault}`);
      progress.reach(valid + invalid);
    }
  } finally {
    progress.clear();
  }
  if (invalid > LISTED_MAX) report(`and ${counted(invalid - LISTED_MAX, 'more invalid line')}`);
  return { valid, invalid, digest: sum.digest('hex') };
}

async function* petsToImport(pets: AsyncIterable<FilePet>, digest: string): AsyncGenerator<PetToImport> {
  for await (const pet of pets) {
    if (pet.newPet !== undefined) yield { input: pet.newPet, idempotencyKey: `import ${digest} ${pet.line}` };
  }
}

async function* digesting(
  chunks: AsyncIterable<Uint8Array>,
  sum: { update(chunk: Uint8Array): unknown },
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    sum.update(chunk);
    yield chunk;
  }
}
