import { parse } from 'csv-parse';
import { pipeline } from 'node:stream';
import { petInputOf } from '../../domain/parse-pet.js';
import { PET_MEMBER_NAMES, PET_MEMBERS, type NewPetInput } from '../../domain/pet.js';
import { errorInLine, FileError, LINE_MAX_BYTES, linesOf } from './lines.js';
import { NEW_PET_MEMBERS, type FilePet, type FilePetsOptions } from './new-pets.js';

/** How many characters of text are parsed at a time. */
const TEXT_AT_ONCE = 65_536;

/** What csv-parse emits for each record, with the options below. */
interface CsvRecord {
  readonly record: readonly string[];
  readonly raw: string;
  readonly info: { readonly lines: number };
}

/** Why a record is not valid CSV, by the code of csv-parse. */
const FAULTS: ReadonlyMap<string, string> = new Map([
  [
    'CSV_INVALID_CLOSING_QUOTE',
    'has text after the closing quote of a field; a quote within a quoted field is doubled',
  ],
  ['INVALID_OPENING_QUOTE', 'has a quote within a field that does not begin with one'],
  ['CSV_QUOTE_NOT_CLOSED', 'has a field whose quote is not closed'],
  ['CSV_MAX_RECORD_SIZE', `begins a record of more than ${LINE_MAX_BYTES} bytes: is a quote not closed?`],
]);

/**
 * The animals of a CSV file (RFC 4180) whose first line names the columns: `name`, `categoryId`, and optionally `status`, in
 * any order. An empty status means that the animal has none. Lines end in LF or CRLF; empty ones are skipped. A byte order mark is
 * ignored.
 *
 * Rejects with a `FileError` that names the line if the header lacks a column or repeats it, or if the quotes are wrong (after the
 * animals before that line, because the lines after it cannot be told), and as `linesOf` does.
 */
export async function* csvPetsOf(
  chunks: AsyncIterable<Uint8Array>,
  { onIgnored, onHeader }: FilePetsOptions = {},
): AsyncGenerator<FilePet, void, undefined> {
  let failure: { readonly line: number; readonly error: FileError } | undefined;
  const parser = parse({
    // Otherwise an error would drop the records before it that are not read yet.
    skip_records_with_error: true,
    on_skip(error, raw = '') {
      if (failure !== undefined || error === undefined) return;
      const line = Number(error['lines']) - lineFeedsIn(raw.replaceAll(/^[\r\n]+|\n$/g, ''));
      failure = { line, error: errorInLine(line, FAULTS.get(error.code) ?? error.message, { cause: error }) };
    },
    bom: true,
    info: true,
    raw: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: LINE_MAX_BYTES,
    record_delimiter: ['\n', '\r\n'],
  });
  async function* textsUntilFailure(): AsyncGenerator<string, void, undefined> {
    for await (const text of textsOf(chunks)) {
      if (failure !== undefined) return;
      yield text;
    }
  }
  // Its errors are also those of the parser.
  pipeline(textsUntilFailure(), parser, () => undefined);
  let columns: ReadonlyMap<string, number> | undefined;
  let width = 0;
  for await (const { record, raw, info } of parser as AsyncIterable<CsvRecord>) {
    const text = withoutLineEnds(raw);
    const line = info.lines - lineFeedsIn(text);
    if (failure !== undefined && failure.line < line) break;
    if (columns === undefined) {
      columns = columnsOf(record, onIgnored);
      width = record.length;
      onHeader?.(text);
      continue;
    }
    if (record.length === width) yield { line, text, input: inputOf(record, columns) };
    else yield { line, text, fault: `must have ${width} fields, as the header has; it has ${record.length}` };
  }
  if (failure !== undefined) throw failure.error;
  if (columns === undefined) throw new FileError('the file is empty: its first line must name the columns');
}

/** The text, in parts. */
async function* textsOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  let text = '';
  for await (const line of linesOf(chunks)) {
    text += `${line}\n`;
    if (text.length < TEXT_AT_ONCE) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}

/** The position of each member of an animal in a record. */
function columnsOf(header: readonly string[], onIgnored: FilePetsOptions['onIgnored']): ReadonlyMap<string, number> {
  const columns = new Map<string, number>();
  for (const [i, name] of header.entries()) {
    if (!NEW_PET_MEMBERS.has(name)) onIgnored?.(name);
    else if (columns.has(name)) throw errorInLine(1, `names the column ${name} twice`);
    else columns.set(name, i);
  }
  for (const name of PET_MEMBER_NAMES) {
    if (columns.has(name) || PET_MEMBERS[name].isOptional) continue;
    throw errorInLine(1, `must name the columns, but lacks ${name}`);
  }
  return columns;
}

/** The animal of a record. */
function inputOf(record: readonly string[], columns: ReadonlyMap<string, number>): NewPetInput {
  return petInputOf(Object.fromEntries([...columns].map(([name, column]) => [name, record[column]])));
}

function lineFeedsIn(text: string): number {
  return text.split('\n').length - 1;
}

/** A record without the line ends and the empty lines around it. */
function withoutLineEnds(raw: string): string {
  let [start, end] = [0, raw.length];
  while (isLineEnd(raw[start])) start++;
  while (end > start && isLineEnd(raw[end - 1])) end--;
  return raw.slice(start, end);
}

function isLineEnd(character: string | undefined): boolean {
  return character === '\r' || character === '\n';
}
