/**
 * Embeds the files that the reference page loads into `src/adapters/http/operations/reference-files`, as modules: a module
 * loads on every runtime, also where there is no file system. Each file is compressed, and has a hash of its bytes in its
 * name. `npm ci` and `npm run build` run this script. It leaves a module alone whose files have not changed, because the
 * compression of Swagger UI takes several seconds.
 */
import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const SWAGGER_UI = ['swagger-ui-bundle.js', 'swagger-ui.css', 'favicon-32x32.png'];
const PAGE = ['start.js', 'page.css'];

/** What the Apache License 2.0 asks to go along with the files (section 4). */
const LICENSES = ['LICENSE', 'NOTICE', 'swagger-ui-bundle.js.LICENSE.txt'];

if (process.env.npm_config_omit?.includes('dev')) {
  console.log('The files of the reference page are not embedded, as development dependencies are left out.');
  process.exit();
}

const operations = fileURLToPath(new URL('../src/adapters/http/operations/', import.meta.url));
const target = join(operations, 'reference-files');
const manifest = createRequire(import.meta.url).resolve('swagger-ui-dist/package.json');
const { version } = JSON.parse(readFileSync(manifest, 'utf8'));

mkdirSync(target, { recursive: true });
embed('swagger-ui', dirname(manifest), SWAGGER_UI, `Files of swagger-ui-dist ${version} (Apache-2.0).`);
embed('page', join(operations, 'reference-page'), PAGE, 'Files of `reference-page`.');
for (const name of LICENSES) copyFileSync(join(dirname(manifest), name), join(target, name));

/** Writes the module `name` with some files of a folder, unless it has them already. */
function embed(name, folder, files, comment) {
  const module = join(target, `${name}.ts`);
  const contents = files.map((file) => readFileSync(join(folder, file)));
  const digest = digestOf(Buffer.concat([readFileSync(import.meta.filename), ...contents]));
  const first = `/** ${comment} Made by scripts/embed-reference-files.js from ${digest}. */\n`;
  if (existsSync(module) && readFileSync(module, 'utf8').startsWith(first)) return;
  const entries = files.map((file, i) => `  '${file}': ${JSON.stringify(embedded(file, contents[i]))},\n`);
  rmSync(module, { force: true });
  const type = "import type { EmbeddedFile } from '../../content.js';\n\n";
  const constant = name.toUpperCase().replace('-', '_');
  const satisfies = 'satisfies Readonly<Record<string, EmbeddedFile>>';
  writeFileSync(module, `${first}${type}export const ${constant} = {\n${entries.join('')}} ${satisfies};\n`);
}

/** A file as `content.ts` describes it. */
function embedded(file, content) {
  const extension = extname(file);
  const name = `${file.slice(0, -extension.length)}.${digestOf(content).slice(0, 16)}${extension}`;
  const gzip = gzipSync(content, { level: constants.Z_BEST_COMPRESSION, memLevel: constants.Z_MAX_MEMLEVEL });
  if (gzip.length >= content.length) return { name, identity: content.toString('base64') };
  const br = brotliCompressSync(content, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    },
  });
  return { name, gzip: gzip.toString('base64'), br: br.toString('base64') };
}

function digestOf(bytes) {
  return createHash('sha256').update(bytes).digest('hex');
}
