import { Option, type Command } from 'commander';
import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { linesOf } from '../../adapters/files/lines.js';
import type { FilePet, FilePetsOptions } from '../../adapters/files/new-pets.js';
import { ndjsonPetsOf } from '../../adapters/files/ndjson-pets.js';
import { isStoreFile } from '../../adapters/files/store-file.js';
import { RemotePetCatalogue } from '../../adapters/remote/remote-pet-catalogue.js';
import { importPets, type PetToImport } from '../../application/transfer/import-pets.js';
import type { PetCatalogue } from '../../domain/pet-catalogue.js';
import { ConfigError } from '../settings/config-error.js';
import { importWith } from '../settings/optional-package.js';
import { addSettings, readSecrets, STORE_SETTINGS } from '../settings/settings.js';
import { baseUrl } from '../settings/values.js';
import { patientCatalogue } from './patience.js';
import { withFileName } from './named-file.js';
import { pluralize, print } from './print.js';
import { Progress, RUN_AGAIN } from './progress.js';
import { portsOf, withStore } from './store.js';

interface ImportOptions {
  readonly format?: string;
  readonly dryRun?: true;
  readonly skipInvalid?: true;
  readonly url?: string;
}

export function addImport(program: Command): void {
  const command = program
    .command('import')
    .argument('<file>', 'a file of NDJSON or CSV; it is read twice, so it cannot be a pipe')
    .summary('import animals from an NDJSON or CSV file')
    .description('Imports animals from an NDJSON or CSV file. The same command again imports no animal twice.')
    .addOption(
      new Option('--format <format>', 'the format of the file (default: by its extension)').choices(['ndjson', 'csv']),
    )
    .option('--dry-run', 'list every invalid line, and store nothing')
    .option('--skip-invalid', 'store the animals of the other lines if some are invalid')
    .option('--url <url>', 'import through the service at this base URL, whose key is in API_KEY', baseUrl);
  addSettings(command, STORE_SETTINGS).action(async (path: string, options: ImportOptions) => {
    const { dryRun, url } = options;
    if (path === '-') throw new ConfigError('import reads its file twice: it needs a file, not the standard input');
    if (dryRun) return importFile(path, options);
    if (url === undefined) {
      return withStore(command, 'prepare', async (container) =>
        importFile(path, options, async () => (await portsOf(container)).catalogue),
      );
    }
    const apiKey = readSecrets.apiKey();
    if (apiKey === undefined) throw new ConfigError('API_KEY is required with --url');
    await importFile(path, options, async () => patientCatalogue(new RemotePetCatalogue({ url, apiKey })));
  });
}

/** Checks every line of a file before it stores anything. Without `open`, it only checks. */
async function importFile(
  path: string,
  { format, skipInvalid }: ImportOptions,
  open?: () => Promise<PetCatalogue>,
): Promise<void> {
  const readPets = await readerOf(path, format);
  const { size, mtimeMs } = await statsOf(path);
  const { digest, valid, invalid } = await withFileName(path, check(path, readPets));
  if (invalid > 0 && !(skipInvalid && open !== undefined)) {
    throw new Error(`${path}: ${invalid} of ${pluralize(valid + invalid, 'line')} invalid; nothing was stored`);
  }
  if (open === undefined) return print(`${pluralize(valid, 'animal')} can be imported\n`);

  const catalogue = await open();
  const now = await statsOf(path);
  if (now.size !== size || now.mtimeMs !== mtimeMs) throw new Error(`${path} has changed; nothing was stored`);
  const progress = new Progress(size, RUN_AGAIN);
  const sum = createHash('sha256');
  const pets = petsToImport(readPets(digesting(progress.read(createReadStream(path)), sum)), digest);
  const importing = importPets({ catalogue }, pets, { onProgress: (count) => progress.reach(count) });
  const { created, replayed } = await withFileName(path, importing).finally(() => progress.stop());
  if (sum.digest('hex') !== digest) {
    throw new Error(`${path} has changed while it was imported: ${pluralize(created, 'animal')} stored`);
  }
  const already = replayed === 0 ? '' : `; already there: ${pluralize(replayed, 'animal')}`;
  const skipped = invalid === 0 ? '' : `; skipped: ${pluralize(invalid, 'invalid line')}`;
  await print(`imported ${pluralize(created, 'animal')} in ${progress.time}${already}${skipped}\n`);
}

type ReadPets = (chunks: AsyncIterable<Uint8Array>, options?: FilePetsOptions) => AsyncIterable<FilePet>;

async function readerOf(path: string, format: string | undefined): Promise<ReadPets> {
  switch (format ?? /\.([^.]+)$/.exec(path)?.[1]?.toLowerCase()) {
    case 'ndjson':
    case 'jsonl':
      return ndjsonPetsOf;
    case 'csv': {
      const { csvPetsOf } = await importWith(
        'csv-parse',
        'an import of CSV',
        async () => import('../../adapters/files/csv-pets.js'),
      );
      return csvPetsOf;
    }
    default:
      throw new ConfigError(`the name of ${path} does not show its format: add --format ndjson or --format csv`);
  }
}

async function statsOf(path: string) {
  const stats = await stat(path);
  if (!stats.isFile()) throw new Error(`${path} is not a regular file: an import reads its file twice`);
  return stats;
}

async function check(path: string, readPets: ReadPets) {
  for await (const [firstLine] of linesOf(createReadStream(path))) {
    if (firstLine !== undefined && isStoreFile(firstLine.text))
      throw new Error(`${path} is an export: use restore, which keeps the ids of its animals`);
    break;
  }
  const report = (line: string): unknown => process.stderr.write(`${path}: ${line}\n`);
  const sum = createHash('sha256');
  let [valid, invalid] = [0, 0];
  const pets = readPets(digesting(createReadStream(path), sum), { onIgnored: (name) => report(`${name} is ignored`) });
  for await (const { line, fault } of pets) {
    if (fault === undefined) valid++;
    else {
      invalid++;
      report(`line ${line}: ${fault}`);
    }
  }
  return { digest: sum.digest('hex'), valid, invalid };
}

async function* petsToImport(pets: AsyncIterable<FilePet>, digest: string): AsyncGenerator<PetToImport> {
  for await (const { line, newPet } of pets) {
    if (newPet !== undefined) yield { input: newPet, idempotencyKey: `import ${digest} ${line}` };
  }
}

async function* digesting(chunks: AsyncIterable<Uint8Array>, sum: Hash): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    sum.update(chunk);
    yield chunk;
  }
}
