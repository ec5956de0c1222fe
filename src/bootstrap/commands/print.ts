import { FileError } from '../../adapters/files/lines.js';
import { isAnimalStoreError } from '../../domain/errors.js';

/** Writes a text to the standard output. Rejects if it cannot be written: the disk is full, or the pipe is closed. */
export async function print(text: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    process.stdout.write(text, (cause) => {
      if (cause) reject(new Error('the standard output cannot be written', { cause }));
      else resolve();
    });
  });
}

/** A number of things in words: `1 animal`, `2 animals`. */
export function pluralize(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}

/** The same result. An error of what the file contains begins with the name of the file. */
export async function withFileName<T>(name: string, work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    const isOfFile =
      error instanceof FileError ||
      (isAnimalStoreError(error) && (error.code === 'invalid_record' || error.code === 'restore_conflict')) ||
      (error as NodeJS.ErrnoException).code === 'EISDIR';
    throw isOfFile ? new Error(`${name}: ${(error as Error).message}`, { cause: error }) : error;
  });
}
