import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../support/child.js';

/** Every source file below `src`, as a path from the root with forward slashes, in order. */
export async function sourceFiles(): Promise<string[]> {
  const entries = await readdir(join(ROOT, 'src'), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length).replaceAll('\\', '/'))
    .sort();
}
