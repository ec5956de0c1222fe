import { FileError } from '../../adapters/files/lines.js';
import { isAnimalStoreError } from '../../domain/errors.js';

export async function withFileName<T>(name: string, work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    const isOfFile =
      error instanceof FileError ||
      (isAnimalStoreError(error) && (error.code === 'invalid_record' || error.code === 'restore_conflict')) ||
      (error as NodeJS.ErrnoException).code === 'EISDIR';
    throw isOfFile ? new Error(`${name}: ${(error as Error).message}`, { cause: error }) : error;
  });
}
