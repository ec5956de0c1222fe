import { isUtf8 } from 'node:buffer';

/** The maximum length of a line, in bytes. */
export const LINE_MAX_BYTES = 2 ** 20;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** The position after the end of a line. */
const AFTER_LINE = /(?<=\n|\r(?!\n))/;

/** The first bytes, in hexadecimal, of files that are not text in UTF-8, and what such files look like. */
const OTHER_FORMATS: readonly (readonly [start: RegExp, looksLike: string])[] = [
  [/^(?:fffe|feff|..00|00)/, 'UTF-16 or UTF-32: save it as UTF-8'],
  [/^1f8b/, 'gzip: decompress it first'],
  [/^28b52ffd/, 'Zstandard: decompress it first'],
  [/^504b0304/, 'a ZIP archive or a spreadsheet: unpack it, or save it as CSV in UTF-8'],
  [/^53514c69746520666f726d6174/, 'an SQLite database: use export to read it'],
];

/** A file cannot be read to its end, or has the wrong contents. `message` names the line, if there is one, and the reason. */
export class FileError extends Error {
  override readonly name = 'FileError';
}

/** The error of a line, counted from 1. */
export function errorInLine(line: number, reason: string, options?: ErrorOptions): FileError {
  return new FileError(`line ${line}: ${reason}`, options);
}

/** A line of a file. */
export interface Line {
  /** Its number, counted from 1 as an editor does. */
  readonly number: number;
  /** Its text, without its end. */
  readonly text: string;
  /** A line feed, a carriage return, or both; empty if the file ends without one. */
  readonly end: string;
}

/**
 * The lines of a text in UTF-8, without a byte order mark at its beginning. Copies what it keeps of a chunk, so that the caller
 * may reuse the memory of the chunk.
 *
 * Rejects with a `FileError` that names the line for one that is longer than 1 MiB or is not UTF-8, and that says what the file
 * looks like if it begins as UTF-16, an archive or a database does.
 */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Line, void, undefined> {
  let pending: Buffer[] = [];
  let length = 0;
  let number = 0;

  function* split(): Generator<Line> {
    const bytes = Buffer.concat(pending);
    pending = [];
    length = 0;
    if (number === 0) refuseOtherFormat(bytes);
    const decoded = decode(bytes, number + 1);
    const lines = number === 0 ? decoded.replace(/^\ufeff/, '') : decoded;
    for (const line of lines.split(AFTER_LINE)) {
      number++;
      const text = withoutEnd(line);
      if (text.length > LINE_MAX_BYTES / 3 && Buffer.byteLength(text) > LINE_MAX_BYTES) throw tooLong(number);
      yield { number, text, end: line.slice(text.length) };
    }
  }

  for await (const chunk of chunks) {
    if (chunk.length === 0) continue;
    // A carriage return at the end of a chunk may belong to a line feed at the beginning of the next one.
    if (pending.at(-1)?.at(-1) === CARRIAGE_RETURN && chunk[0] !== LINE_FEED) yield* split();
    const end = 1 + Math.max(chunk.lastIndexOf(LINE_FEED), chunk.subarray(0, -1).lastIndexOf(CARRIAGE_RETURN));
    if (end > 0) {
      pending.push(Buffer.from(chunk.buffer, chunk.byteOffset, end));
      yield* split();
    }
    if (end < chunk.length) pending.push(Buffer.copyBytesFrom(chunk, end));
    length += chunk.length - end;
    if (length > LINE_MAX_BYTES) throw tooLong(number + 1);
  }
  if (length > 0) yield* split();
}

function tooLong(line: number): Error {
  return errorInLine(line, `is longer than ${LINE_MAX_BYTES} bytes`);
}

function refuseOtherFormat(bytes: Buffer): void {
  const start = bytes.toString('hex', 0, 16);
  const [, looksLike] = OTHER_FORMATS.find(([pattern]) => pattern.test(start)) ?? [];
  if (looksLike !== undefined) throw new FileError(`the file is not text in UTF-8; it looks like ${looksLike}`);
}

/** @param line The number of the first line. */
function decode(bytes: Buffer, line: number): string {
  if (isUtf8(bytes)) return bytes.toString();
  // In Latin-1, each character is a byte.
  const lines = bytes.toString('latin1').split(AFTER_LINE);
  const faulty = lines.findIndex((text) => !isUtf8(Buffer.from(text, 'latin1')));
  throw errorInLine(line + faulty, 'is not UTF-8: save the file as UTF-8');
}

function withoutEnd(line: string): string {
  if (line.endsWith('\r\n')) return line.slice(0, -2);
  return line.endsWith('\n') || line.endsWith('\r') ? line.slice(0, -1) : line;
}
