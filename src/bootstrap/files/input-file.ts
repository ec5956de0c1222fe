import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { addAbortSignal } from 'node:stream';
import { FileError, linesOf } from '../../adapters/files/lines.js';
import { isStoreFile } from '../../adapters/files/store-file.js';
import { isAnimalStoreError } from '../../domain/errors.js';

/** The path that stands for the standard input. */
export const STANDARD_INPUT = '-';

/** A file to read. */
export interface InputFile {
  /** What messages call it. */
  readonly name: string;
  /** Its size in bytes; left out if it is not a regular file. */
  readonly size?: number;
  /**
   * Reads it from its beginning. Their memory may be used again once the next chunk is asked for. Rejects with an error that names
   * it, and after its last chunk if a regular file has another size than at first.
   *
   * @param signal Ends the read, which then rejects.
   */
  read(signal?: AbortSignal): AsyncIterable<Uint8Array>;
}

/**
 * A file to read. Opens it only when it is read.
 *
 * Rejects with an error that names it if it is missing, a folder, a named pipe, or may not be looked at; if it must be a regular
 * file, also for a device.
 *
 * @param isReadTwice Whether it must be a regular file, because it is read more than once.
 */
export async function inputFile(path: string, { isReadTwice = false } = {}): Promise<InputFile> {
  if (path === STANDARD_INPUT) {
    if (isReadTwice) throw new Error(`the standard input cannot be read twice: save it in a file first`);
    const { stdin } = process;
    return { name: 'the standard input', read: (signal) => (signal ? addAbortSignal(signal, stdin) : stdin) };
  }
  const stats = await stat(path).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  if (stats.isDirectory()) throw new Error(`${path} cannot be read: it is a folder`);
  if (!isReadTwice && stats.isFIFO()) {
    // A read of a named pipe that waits for its writer cannot be ended.
    throw new Error(
      `${path} cannot be read: it is a named pipe. Make it the standard input, and name ${STANDARD_INPUT} as the file`,
    );
  }
  if (isReadTwice && !stats.isFile()) {
    throw new Error(`${path} cannot be read twice, because it is not a regular file: save its content in a file first`);
  }
  if (!stats.isFile()) return { name: path, read: (signal) => readFrom(path, signal) };
  const { size } = stats;
  return { name: path, size, read: (signal) => ofSize(size, path, readFrom(path, signal)) };
}

/** Whether a file begins as an export does. */
export async function holdsExport(file: InputFile): Promise<boolean> {
  return isStoreFile(await withFileName(file.name, firstLineOf(file)));
}

async function firstLineOf(file: InputFile): Promise<string> {
  for await (const { text } of linesOf(file.read())) return text;
  return '';
}

/** The same result. An error of a line gets the name of the file before its message. */
export async function withFileName<T>(name: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const isOfLine =
      error instanceof FileError ||
      (isAnimalStoreError(error) && (error.code === 'invalid_record' || error.code === 'restore_conflict'));
    if (isOfLine) throw new Error(`${name}: ${error.message}`, { cause: error });
    throw error;
  }
}

/** The same chunks. Rejects instead of ending if they have another size. Some systems give the size 0 for files of their own. */
async function* ofSize(
  size: number,
  path: string,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  let read = 0;
  for await (const chunk of chunks) {
    read += chunk.length;
    if (read > size && size > 0) throw new Error(`${path} has grown while it was read: it had ${size} bytes`);
    yield chunk;
  }
  if (read < size) throw new Error(`${path} has shrunk while it was read: it had ${size} bytes, and only ${read} came`);
}

async function* readFrom(path: string, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* createReadStream(path, { signal });
  } catch (error) {
    throw unreadable(path, error);
  }
}

function unreadable(path: string, cause: unknown): Error {
  return new Error(`${path} cannot be read`, { cause });
}
