import { CsvError, parse } from 'csv-parse/sync';
import { petInputOf } from '../../domain/parse-pet.js';
import { PET_MEMBER_NAMES, PET_MEMBERS } from '../../domain/pet.js';
import { errorInLine, FileError, LINE_MAX_BYTES, linesOf } from './lines.js';
import { checkPet, memberLike, misspelt, quoted, type FilePet, type FilePetsOptions } from './new-pets.js';

/** By the code of csv-parse. */
const FAULTS: ReadonlyMap<string, string> = new Map([
  [
    'CSV_INVALID_CLOSING_QUOTE',
    'has text after the closing quote of a field: commas separate fields, and a quote within a quoted field is doubled',
  ],
  ['INVALID_OPENING_QUOTE', 'has a quote within a field that does not begin with one'],
  ['CSV_QUOTE_NOT_CLOSED', `has a field whose quote is not closed, or that is longer than ${LINE_MAX_BYTES} bytes`],
]);

interface CsvRecord {
  /** The one on which it begins. */
  readonly line: number;
  readonly text: string;
}

/**
 * CSV (RFC 4180) whose first line names the columns, in any order. Lines end in LF, CRLF or CR. An empty status means that the animal
 * has none. Skips rows whose fields are all empty (`,,`), which spreadsheets write for rows that were emptied.
 *
 * Rejects with a `FileError` if the header lacks, repeats or misspells a column, if no line follows it, and if quotes are wrong,
 * because the lines after them cannot be told apart. Some animals before a line with wrong quotes may be left out.
 */
export async function* csvPetsOf(
  chunks: AsyncIterable<Uint8Array>,
  { onIgnored }: FilePetsOptions = {},
): AsyncGenerator<FilePet, void, undefined> {
  let columns: readonly string[] | undefined;
  let hasPets = false;
  for await (const records of recordsOf(chunks)) {
    if (columns === undefined) {
      const header = records.shift();
      if (header === undefined) continue;
      [columns = []] = fieldsOf([header]);
      for (const name of ignoredColumns(columns, header)) onIgnored?.(quoted(name));
    }
    const rows = fieldsOf(records);
    for (const [i, { line }] of records.entries()) {
      const fields = rows[i] ?? [];
      if (fields.every((field) => field === '')) continue;
      hasPets = true;
      if (fields.length === columns.length) yield { line, ...checkPet(inputOf(fields, columns)) };
      else yield { line, fault: `must have ${columns.length} fields, as the header has; it has ${fields.length}` };
    }
  }
  if (columns === undefined) throw new FileError('the file is empty: its first line must name the columns');
  if (!hasPets) throw new FileError('the file has no animals: no line follows its header');
}

/** A line that leaves a quote open, and is not too long, continues on the next. */
async function* recordsOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<CsvRecord[], void, undefined> {
  /** The record whose quote is open, with the end of its last line. */
  let open: CsvRecord | undefined;
  for await (const lines of linesOf(chunks)) {
    const records: CsvRecord[] = [];
    for (const { number, text: added, end } of lines) {
      const { line, text: before }: CsvRecord = open ?? { line: number, text: '' };
      const isOpen: boolean = (open !== undefined) !== hasOddQuotes(added);
      const text = before + added;
      open = isOpen && before.length <= LINE_MAX_BYTES ? { line, text: text + end } : undefined;
      if (open === undefined && text !== '') records.push({ line, text });
    }
    yield records;
  }
  if (open !== undefined) yield [open];
}

function hasOddQuotes(text: string): boolean {
  let isOdd = false;
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) isOdd = !isOdd;
  return isOdd;
}

/** Parsed together, because a parser for each record would take several times as long. */
function fieldsOf(records: readonly CsvRecord[]): readonly (readonly string[])[] {
  try {
    // The quotes of each record are closed, so that a line feed between two of them is never part of a field.
    return parse(records.map(({ text }) => text).join('\n'), { record_delimiter: '\n', relax_column_count: true });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = records[Number(error['records'])]?.line ?? 1;
    // Without the cause, which counts the lines of the text that was parsed, not of the file.
    throw errorInLine(line, FAULTS.get(error.code) ?? error.message);
  }
}

/** @throws FileError if a column of an animal is missing, repeated or misspelt. */
function ignoredColumns(columns: readonly string[], { line, text }: CsvRecord): Iterable<string> {
  const [known, ignored] = [new Set<string>(), new Set<string>()];
  for (const name of columns) {
    const member = memberLike(name);
    if (member !== undefined && member !== name) throw errorInLine(line, `the column ${misspelt(name, member)}`);
    if (known.has(name)) throw errorInLine(line, `names the column ${name} twice`);
    (member === undefined ? ignored : known).add(name);
  }
  const missing = PET_MEMBER_NAMES.filter((name) => !PET_MEMBERS[name].isOptional && !known.has(name));
  if (missing.length === 0) return ignored;
  const [other] = /[;\t|]/.exec(text) ?? [];
  const hint = other === undefined ? '' : `; commas must separate them, not ${JSON.stringify(other)}`;
  throw errorInLine(line, `must name the columns, but lacks ${missing.join(' and ')}${hint}`);
}

function inputOf(fields: readonly string[], columns: readonly string[]): ReturnType<typeof petInputOf> {
  return petInputOf(Object.fromEntries(columns.map((name, i) => [name, fields[i]])));
}
