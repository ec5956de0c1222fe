import { isUtf8 } from 'node:buffer';

/** The maximum length of a line, in bytes. */
export const LINE_MAX_BYTES = 2 ** 20;

const LINE_FEED = 0x0a;
export const BYTE_ORDER_MARK = '\ufeff';

/** A file cannot be read to its end, or has the wrong contents. `message` names the line and the reason. */
export class FileError extends Error {
  override readonly name = 'FileError';
}

/** The error of a line, counted from 1. */
export function errorInLine(line: number, reason: string, options?: ErrorOptions): FileError {
  return new FileError(`line ${line}: ${reason}`, options);
}

/**
 * The lines of a text in UTF-8, without their line feeds. The text after the last line feed is a line if it is not empty. Copies
 * what it keeps of a chunk, so that the caller may reuse the memory of the chunk.
 *
 * Rejects with a `FileError` that names the line for one that is longer than 1 MiB or is not UTF-8.
 */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  let before: Buffer[] = [];
  let length = 0;
  let count = 0;

  function* split(bytes: Buffer): Generator<string> {
    for (const line of decode(bytes, count + 1).split('\n')) {
      count++;
      if (line.length > LINE_MAX_BYTES) throw tooLong(count);
      yield line;
    }
  }

  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(LINE_FEED);
    if (end >= 0) {
      yield* split(Buffer.concat([...before, chunk.subarray(0, end)]));
      before = [];
      length = 0;
    }
    before.push(Buffer.copyBytesFrom(chunk, end + 1));
    length += chunk.length - end - 1;
    if (length > LINE_MAX_BYTES) throw tooLong(count + 1);
  }
  if (length > 0) yield* split(Buffer.concat(before));
}

function tooLong(line: number): Error {
  return errorInLine(line, `is longer than ${LINE_MAX_BYTES} bytes`);
}

/** @param line The number of the first line. */
function decode(bytes: Buffer, line: number): string {
  if (isUtf8(bytes)) return bytes.toString();
  throw errorInLine(line + linesBeforeFault(bytes), 'is not UTF-8');
}

/** The number of lines before the first one that is not UTF-8. */
function linesBeforeFault(bytes: Buffer): number {
  for (let lines = 0, start = 0; ; lines++) {
    const end = bytes.indexOf(LINE_FEED, start);
    if (end < 0 || !isUtf8(bytes.subarray(start, end))) return lines;
    start = end + 1;
  }
}
