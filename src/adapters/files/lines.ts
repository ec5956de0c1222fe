import { isUtf8 } from 'node:buffer';

/** The maximum length of a line, in bytes, so that memory is bounded. The chunk that ends the line may exceed it. */
export const LINE_MAX_BYTES = 2 ** 20;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

const AFTER_LINE = /(?<=\n|\r(?!\n))/;

/** The first bytes, in hexadecimal, of files that are not text in UTF-8. */
const OTHER_FORMATS: readonly (readonly [start: RegExp, looksLike: string])[] = [
  [/^(?:fffe|feff|..00|00)/, 'UTF-16 or UTF-32: save it as UTF-8'],
  [/^1f8b/, 'gzip: decompress it first'],
  [/^28b52ffd/, 'Zstandard: decompress it first'],
  [/^504b0304/, 'a ZIP archive or a spreadsheet: unpack it, or save it as CSV in UTF-8'],
  [/^53514c69746520666f726d6174/, 'an SQLite database: use export to read it'],
];

/** `message` names the line, if there is one, and the reason. */
export class FileError extends Error {
  override readonly name = 'FileError';
}

export function errorInLine(line: number, reason: string, options?: ErrorOptions): FileError {
  return new FileError(`line ${line}: ${reason}`, options);
}

export interface Line {
  /** Its number, counted from 1 as an editor does. */
  readonly number: number;
  readonly text: string;
  /** A line feed, a carriage return, or both; empty if the file ends without one. */
  readonly end: string;
}

/**
 * Yields some lines at a time, without a byte order mark. Copies what it keeps of a chunk, so that the caller may reuse its memory.
 * Rejects with a `FileError` for a line that is too long or is not UTF-8, and for a file that begins as one of another format does.
 */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<readonly Line[], void, undefined> {
  /** What has arrived since the last end of a line. It is joined only where a line ends, so a long line costs no more in small chunks. */
  let pieces: Buffer[] = [];
  let size = 0;
  let count = 0;

  function split(bytes: Buffer): readonly Line[] {
    if (bytes.length === 0) return [];
    if (count === 0) refuseOtherFormat(bytes);
    const decoded = decode(bytes, count + 1);
    return (count === 0 ? decoded.replace(/^\ufeff/, '') : decoded).split(AFTER_LINE).map((line) => {
      const text = withoutEnd(line);
      return { number: ++count, text, end: line.slice(text.length) };
    });
  }

  for await (const chunk of chunks) {
    const wasReturn = pieces.at(-1)?.at(-1) === CARRIAGE_RETURN;
    pieces.push(Buffer.from(chunk));
    size += chunk.length;
    if (wasReturn || chunk.includes(LINE_FEED) || chunk.includes(CARRIAGE_RETURN)) {
      const bytes = Buffer.concat(pieces);
      // A carriage return at the end may belong to a line feed in the next chunk.
      const end = 1 + Math.max(bytes.lastIndexOf(LINE_FEED), bytes.lastIndexOf(CARRIAGE_RETURN, -2));
      yield split(bytes.subarray(0, end));
      pieces = [bytes.subarray(end)];
      size = bytes.length - end;
    }
    if (size > LINE_MAX_BYTES) throw errorInLine(count + 1, `is longer than ${LINE_MAX_BYTES} bytes`);
  }
  yield split(Buffer.concat(pieces));
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
