/** A file cannot be read to its end, or has the wrong contents. `message` names the line and the reason. */
export class FileError extends Error {
  override readonly name = 'FileError';
}

/** The error of a line, counted from 1. */
export function errorInLine(line: number, reason: string, options?: ErrorOptions): FileError {
  return new FileError(`line ${line}: ${reason}`, options);
}
