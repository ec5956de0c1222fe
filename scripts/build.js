/**
 * Compiles the sources into `dist`. The modules of the reference files name no source maps, as their sources, which are larger
 * than the rest of the package, are not shipped.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
// On the standard error stream, because npm pack --json writes JSON to the other one.
console.error('Compiling the sources into dist …');
rmSync('dist', { recursive: true, force: true });
const { status, error } = spawnSync(
  process.execPath,
  ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'],
  {
    stdio: 'inherit',
  },
);
if (error !== undefined) throw error;
if (status !== 0) process.exit(status ?? 1);

const folder = 'dist/src/adapters/http/reference/files';
for (const name of readdirSync(folder)) {
  const file = join(folder, name);
  if (name.endsWith('.map')) rmSync(file);
  else writeFileSync(file, readFileSync(file, 'utf8').replace(/\n\/\/# sourceMappingURL=.*\n?$/, '\n'));
}
