/** A file that cannot be read to its end, or does not hold what it should. `message` says on which line, and why. */
export class FileError extends Error {
  override readonly name = 'FileError';
}

/** The error of a line, counted from 1. */
export function errorInLine(line: number, reason: string, options?: ErrorOptions): FileError {
  return new FileError(`line ${line}: ${reason}`, options);
}
