/**
 * Packs the package into an empty folder, and prints the variables that have runs of tests use it, in the form
 * `NAME=value`. Without them, each run packs the package itself.
 *
 * Argument: the folder.
 */
import { resolve } from 'node:path';
import { tsImport } from 'tsx/esm/api';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('which folder?');
const { packInto } = await tsImport('../test/support/share-package.ts', import.meta.url);
for (const [name, value] of Object.entries(await packInto(resolve(folder)))) console.log(`${name}=${value}`);
