import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../support/temporary-folder.js';

/**
 * Writes a custom store for the test that runs, and returns its path.
 *
 * @param catalogue What it binds: an expression in JavaScript for a catalogue, or for a promise of one.
 * @param more What follows its binding: `.onDeactivation(…)`.
 */
export function storeFile(catalogue: string, more = ''): string {
  const path = join(makeTemporaryFolder(), 'store.mjs');
  const binding = `bind(Symbol.for('animal-store.PetCatalogue')).toResolvedValue(() => ${catalogue}).inSingletonScope()${more}`;
  writeFileSync(path, `export default { load: ({ bind }) => void ${binding} };`);
  return path;
}
