import { closeSync, openSync } from 'node:fs';

/** The descriptor that the next file gets: the smallest free one. It stays the same if whatever was opened is closed again. */
export function nextDescriptor(): number {
  const descriptor = openSync(import.meta.filename, 'r');
  closeSync(descriptor);
  return descriptor;
}
