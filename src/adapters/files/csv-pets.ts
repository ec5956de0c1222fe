import { CsvError, parse } from 'csv-parse';
import { Readable } from 'node:stream';
import { petInputOf } from '../../domain/parse-pet.js';
import { PET_MEMBER_NAMES, PET_MEMBERS, type NewPetInput } from '../../domain/pet.js';
import { errorInLine, FileError } from './file-error.js';
import { BYTE_ORDER_MARK, LINE_MAX_BYTES, linesOf } from './lines.js';
import { NEW_PET_MEMBERS, type FilePet, type FilePetsOptions } from './new-pets.js';

/** How many characters of text are parsed at a time. */
const TEXT_AT_ONCE = 65_536;

/** What csv-parse emits for each record, with the options below. */
interface CsvRecord {
  readonly record: readonly string[];
  readonly raw: string;
  readonly info: { readonly lines: number };
}

/**
 * The animals of a CSV file (RFC 4180) whose first line names the columns: `name`, `categoryId`, and optionally `status`, in
 * any order. An empty status means that the animal has none. Lines end in LF or CRLF; empty ones are skipped. A byte order mark is
 * ignored.
 *
 * Rejects with a `FileError` that names the line if the header lacks a column or repeats it, or if the quotes are wrong, and as
 * `linesOf` does.
 */
export async function* csvPetsOf(
  chunks: AsyncIterable<Uint8Array>,
  { onIgnored, onHeader }: FilePetsOptions = {},
): AsyncGenerator<FilePet, void, undefined> {
  const parser = parse({
    info: true,
    raw: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: LINE_MAX_BYTES,
    record_delimiter: ['\n', '\r\n'],
  });
  const source = Readable.from(textsOf(chunks));
  source.once('error', (error) => parser.destroy(error)).pipe(parser);
  let columns: ReadonlyMap<string, number> | undefined;
  let width = 0;
  try {
    for await (const { record, raw, info } of parser as AsyncIterable<CsvRecord>) {
      const text = withoutLineEnds(raw);
      if (columns === undefined) {
        columns = columnsOf(record, onIgnored);
        width = record.length;
        onHeader?.(text);
        continue;
      }
      const line = info.lines - (text.match(/\n/g)?.length ?? 0);
      if (record.length === width) yield { line, text, input: inputOf(record, columns) };
      else yield { line, text, fault: `must have ${width} fields, as the header has; it has ${record.length}` };
    }
  } catch (error) {
    if (error instanceof CsvError) throw new FileError(`the file is not valid CSV: ${error.message}`, { cause: error });
    throw error;
  } finally {
    source.destroy();
  }
  if (columns === undefined) throw new FileError('the file is empty: its first line must name the columns');
}

/** The text without a byte order mark, in parts. */
async function* textsOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  let isFirst = true;
  let text = '';
  for await (const line of linesOf(chunks)) {
    text += `${isFirst && line.startsWith(BYTE_ORDER_MARK) ? line.slice(1) : line}\n`;
    isFirst = false;
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
