import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endWithTest } from './cleanup.js';

/**
 * Makes an empty folder outside of the repository, with no `node_modules` above it, and returns its path.
 *
 * @param endWith When it is removed. @default when the test ends
 */
export function makeTemporaryFolder(endWith = endWithTest): string {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'animal-store-'));
  endWith(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
