/**
 * Copies the files of Swagger UI that the reference page loads into `src/adapters/http/operations/reference-files`, each as
 * a module: a module loads on every runtime, also where there is no file system. `npm ci` runs this script.
 */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FILES = [
  { from: 'swagger-ui-bundle.js', to: 'bundle.ts', member: 'text', encoding: 'utf8' },
  { from: 'swagger-ui.css', to: 'css.ts', member: 'text', encoding: 'utf8' },
  { from: 'favicon-32x32.png', to: 'favicon.ts', member: 'base64', encoding: 'base64' },
];

/** What the Apache License 2.0 asks to go along with the files (section 4). */
const LICENSES = ['LICENSE', 'NOTICE', 'swagger-ui-bundle.js.LICENSE.txt'];

if (process.env.npm_config_omit?.includes('dev')) {
  console.log('The files of the reference page are not copied, as development dependencies are left out.');
  process.exit();
}

const target = fileURLToPath(new URL('../src/adapters/http/operations/reference-files/', import.meta.url));
const manifest = createRequire(import.meta.url).resolve('swagger-ui-dist/package.json');
const { version } = JSON.parse(readFileSync(manifest, 'utf8'));

mkdirSync(target, { recursive: true });
for (const { from, to, member, encoding } of FILES) {
  const content = readFileSync(join(dirname(manifest), from), encoding);
  const comment = `/** ${from} of swagger-ui-dist ${version} (Apache-2.0), copied by scripts/embed-reference-files.js. */`;
  writeFileSync(join(target, to), `${comment}\nexport const ${member}: string = ${JSON.stringify(content)};\n`);
}
for (const name of LICENSES) copyFileSync(join(dirname(manifest), name), join(target, name));
