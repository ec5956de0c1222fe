/**
 * Writes what the command tells of `package.json` to a module, in `src/bootstrap/compiled`: the version of this package, and
 * the major versions of the packages that users may install beside it. A bundle holds the module, but no `package.json`. `npm ci` and
 * `npm run build` run this script.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { writeIfChanged } from './write-if-changed.js';

const { version, peerDependencies, devDependencies } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
);
const majors = Object.keys(peerDependencies).map((name) => [name, devDependencies[name].split('.')[0]]);

const text = `/** Made by scripts/write-manifest.js from package.json. */

/** The version of this package. */
export const version: string = '${version}';

/** The packages that users may install beside this one, each with the major version that this one is developed with. */
export const optionalPackages: Readonly<Record<string, string>> = ${JSON.stringify(Object.fromEntries(majors), undefined, 2)};
`;

const target = fileURLToPath(new URL('../src/bootstrap/compiled/manifest.ts', import.meta.url));
writeIfChanged(target, text);
