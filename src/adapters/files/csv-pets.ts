import { CsvError, parse } from 'csv-parse/sync';
import { petInputOf } from '../../domain/parse-pet.js';
import { PET_MEMBER_NAMES, PET_MEMBERS } from '../../domain/pet.js';
import { errorInLine, FileError, LINE_MAX_BYTES, linesOf } from './lines.js';
import { checkPet, lookUpMember, quoted, type FilePet, type FilePetsOptions } from './new-pets.js';

/** How many characters of text are parsed at a time. */
const TEXT_AT_ONCE = 16_384;

/** Why a record is not valid CSV, by the code of csv-parse. */
const FAULTS: ReadonlyMap<string, string> = new Map([
  [
    'CSV_INVALID_CLOSING_QUOTE',
    'has text after the closing quote of a field: commas separate fields, and a quote within a quoted field is doubled',
  ],
  ['INVALID_OPENING_QUOTE', 'has a quote within a field that does not begin with one'],
  ['CSV_QUOTE_NOT_CLOSED', `has a field whose quote is not closed, or that is longer than ${LINE_MAX_BYTES} bytes`],
]);

/** The text of a record, and the line on which it begins. */
interface CsvRecord {
  readonly line: number;
  readonly text: string;
}

/**
 * The animals of a CSV file (RFC 4180) whose first line names the columns: `name`, `categoryId`, and optionally `status`, in
 * any order. An empty status means that the animal has none. Lines end in LF, CRLF or CR; empty ones are skipped.
 *
 * Rejects with a `FileError` that names the line if the header lacks a column, repeats it, or names one that is a member's but
 * for case, white space and invisible characters; if the quotes are wrong, because the lines after it cannot be told; if no line
 * follows the header; and as `linesOf` does. Some animals before a line with wrong quotes may be left out.
 */
export async function* csvPetsOf(
  chunks: AsyncIterable<Uint8Array>,
  { onIgnored }: FilePetsOptions = {},
): AsyncGenerator<FilePet, void, undefined> {
  let columns: readonly string[] | undefined;
  let hasPets = false;
  for await (const records of batchesOf(chunks)) {
    for (const { line, text, fields } of parseRecords(records)) {
      if (columns === undefined) {
        columns = fields;
        for (const name of ignoredColumns(columns, line, text)) onIgnored?.(quoted(name));
        continue;
      }
      hasPets = true;
      if (fields.length === columns.length) yield { line, ...checkPet(inputOf(fields, columns)) };
      else yield { line, fault: `must have ${columns.length} fields, as the header has; it has ${fields.length}` };
    }
  }
  if (columns === undefined) throw new FileError('the file is empty: its first line must name the columns');
  if (!hasPets) throw new FileError('the file has no animals: no line follows its header');
}

/** The records of a file, the first one alone, the others some at a time. */
async function* batchesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<readonly CsvRecord[], void, undefined> {
  let batch: CsvRecord[] = [];
  let size = 0;
  let sizeAtOnce = 0;
  for await (const record of recordsOf(chunks)) {
    batch.push(record);
    size += record.text.length;
    if (size < sizeAtOnce) continue;
    yield batch;
    batch = [];
    size = 0;
    sizeAtOnce = TEXT_AT_ONCE;
  }
  if (batch.length > 0) yield batch;
}

/** The records of a file that are not empty. A line that leaves a quote open, and is not too long, continues on the next one. */
async function* recordsOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<CsvRecord, void, undefined> {
  let start: number | undefined;
  let before = '';
  let isOpen = false;
  for await (const { number, text, end } of linesOf(chunks)) {
    for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) isOpen = !isOpen;
    start ??= number;
    if (isOpen && before.length <= LINE_MAX_BYTES) {
      before += text + end;
      continue;
    }
    const record = { line: start, text: before + text };
    [start, before, isOpen] = [undefined, '', false];
    if (record.text !== '') yield record;
  }
  if (start !== undefined) yield { line: start, text: before };
}

/** Parses records of which each quote is closed, so that a line feed between two of them is never part of a field. */
function* parseRecords(
  records: readonly CsvRecord[],
): Generator<CsvRecord & { readonly fields: readonly string[] }, void, undefined> {
  const text = records.map((record) => record.text).join('\n');
  const rows = rowsOf(text, records);
  for (const [i, record] of records.entries()) yield { ...record, fields: rows[i] ?? [] };
}

function rowsOf(text: string, records: readonly CsvRecord[]): readonly (readonly string[])[] {
  try {
    return parse(text, { record_delimiter: '\n', relax_column_count: true });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = records[Number(error['records'])]?.line ?? 1;
    throw errorInLine(line, FAULTS.get(error.code) ?? error.message, { cause: error });
  }
}

/**
 * The columns that animals do not have, each once.
 *
 * @throws FileError if those that they have are not all there, once, under their names.
 */
function ignoredColumns(columns: readonly string[], line: number, header: string): Iterable<string> {
  const [known, ignored] = [new Set<string>(), new Set<string>()];
  for (const name of columns) {
    const found = lookUpMember(name);
    if (typeof found === 'object') throw errorInLine(line, `the column ${found.misspelt}`);
    if (known.has(name)) throw errorInLine(line, `names the column ${name} twice`);
    (found === 'known' ? known : ignored).add(name);
  }
  const missing = PET_MEMBER_NAMES.filter((name) => !PET_MEMBERS[name].isOptional && !known.has(name));
  if (missing.length === 0) return ignored;
  const [other] = /[;\t|]/.exec(header) ?? [];
  const hint = other === undefined ? '' : `; commas must separate them, not ${JSON.stringify(other)}`;
  throw errorInLine(line, `must name the columns, but lacks ${missing.join(' and ')}${hint}`);
}

function inputOf(fields: readonly string[], columns: readonly string[]): ReturnType<typeof petInputOf> {
  return petInputOf(Object.fromEntries(columns.map((name, i) => [name, fields[i]])));
}
