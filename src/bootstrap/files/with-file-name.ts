import { FileError } from '../../adapters/files/file-error.js';
import { isAnimalStoreError } from '../../domain/errors.js';

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
