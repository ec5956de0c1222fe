import { createRequire } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = process.env['BENCH_ANIMAL_STORE'] ?? fileURLToPath(new URL('../../../', import.meta.url));
const { resolve } = createRequire(join(ROOT, 'package.json'));

/**
 * Imports an entry point of the built package by its public name, as a user's program does. `BENCH_ANIMAL_STORE` names the
 * folder of another build, to compare two versions.
 *
 * @param {string} name
 */
export async function load(name) {
  return import(pathToFileURL(resolve(name)).href);
}
