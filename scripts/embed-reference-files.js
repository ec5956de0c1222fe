/**
 * Copies the files of Swagger UI that the reference page loads into `src/adapters/http/operations/reference-files`, as a
 * module: a module loads on every runtime, also where there is no file system. `npm ci` runs this script.
 */
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const FILES = ['swagger-ui-bundle.js', 'swagger-ui.css', 'favicon-32x32.png'];

/** What the Apache License 2.0 asks to go along with the files (section 4). */
const LICENSES = ['LICENSE', 'NOTICE', 'swagger-ui-bundle.js.LICENSE.txt'];

if (process.env.npm_config_omit?.includes('dev')) {
  console.log('The files of the reference page are not copied, as development dependencies are left out.');
  process.exit();
}

const target = fileURLToPath(new URL('../src/adapters/http/operations/reference-files/', import.meta.url));
const manifest = createRequire(import.meta.url).resolve('swagger-ui-dist/package.json');
const { version } = JSON.parse(readFileSync(manifest, 'utf8'));

rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
// Compressed, the module is a third as large, and takes 3 ms to load instead of 23.
const entries = FILES.map((name) => {
  const content = readFileSync(join(dirname(manifest), name));
  return `  '${name}': '${gzipSync(content, { level: 9 }).toString('base64')}',\n`;
});
const comment = `/** Files of swagger-ui-dist ${version} (Apache-2.0), each in gzip and base64. Made by scripts/embed-reference-files.js. */`;
writeFileSync(join(target, 'swagger-ui.ts'), `${comment}\nexport const SWAGGER_UI = {\n${entries.join('')}};\n`);
for (const name of LICENSES) copyFileSync(join(dirname(manifest), name), join(target, name));
