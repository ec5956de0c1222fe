import { linesOf } from '../../adapters/files/lines.js';
import { isStoreFile } from '../../adapters/files/store-file.js';
import type { InputFile } from './input-file.js';
import { withFileName } from './with-file-name.js';

/** Whether a file begins as an export does. */
export async function holdsExport(file: InputFile): Promise<boolean> {
  return isStoreFile(await withFileName(file.name, firstLineOf(file)));
}

async function firstLineOf(file: InputFile): Promise<string> {
  for await (const line of linesOf(file.read())) return line;
  return '';
}
