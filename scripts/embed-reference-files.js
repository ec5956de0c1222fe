/**
 * Embeds the files that the reference page loads into `src/adapters/http/reference/files`, as a module: a module loads on every
 * runtime, also where there is no file system. `npm ci` and `npm run build` run this script.
 */
import { createHash } from 'node:crypto';
import { copyFileSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { writeIfChanged } from './write-if-changed.js';

if (process.env.npm_config_omit?.includes('dev')) {
  console.log('The files of the reference page are not embedded, as development dependencies are left out.');
  process.exit();
}

const reference = fileURLToPath(new URL('../src/adapters/http/reference/', import.meta.url));
const swaggerUi = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const target = join(reference, 'files');

const CONTENT_TYPES = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.png': 'image/png',
};
const FILES = [
  ...['swagger-ui-bundle.js', 'swagger-ui.css', 'index.css', 'favicon-32x32.png'].map((name) => join(swaggerUi, name)),
  ...['start.js', 'style.css'].map((name) => join(reference, name)),
];

/** A file as `page.ts` describes it. */
function embedded(file) {
  const content = readFileSync(file);
  const extension = extname(file);
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 16);
  const gzip = gzipSync(content, { level: 9 });
  return {
    name: `${basename(file, extension)}.${hash}${extension}`,
    contentType: CONTENT_TYPES[extension],
    ...(gzip.length < content.length ? { gzip: gzip.toString('base64') } : { identity: content.toString('base64') }),
  };
}

const files = Object.fromEntries(FILES.map((file) => [basename(file), embedded(file)]));
const text = `/** Made by scripts/embed-reference-files.js. Files of swagger-ui-dist (Apache-2.0), start.js and style.css. */
export const FILES = ${JSON.stringify(files, null, 2)};
`;
writeIfChanged(join(target, 'files.ts'), text);
// What the Apache License 2.0 asks to go along with the files (section 4).
for (const name of ['LICENSE', 'NOTICE', 'swagger-ui-bundle.js.LICENSE.txt']) {
  copyFileSync(join(swaggerUi, name), join(target, name));
}
