import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, TSX_LOADER, type Environment } from './child.js';
import { makeTemporaryFolder } from './temporary-folder.js';

/**
 * A copy of this program whose tables have one version more.
 *
 * @param schema The file with the list of the steps between versions.
 * @param step The statements of the next step.
 * @returns A function that runs one of its commands and returns the output, or throws an error with the standard error stream.
 */
export function makeNextProgram(schema: string, step: string): (args: readonly string[], env?: Environment) => string {
  const folder = makeTemporaryFolder();
  for (const name of ['src', 'package.json']) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const file = join(folder, schema);
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace(/^\];$/m, `  '${step}',\n];`));
  const cli = join(folder, 'src/bootstrap/cli.ts');
  return (args, env = {}) =>
    execFileSync(process.execPath, [...TSX_LOADER, cli, ...args], {
      env: { PATH: process.env['PATH'], ...env },
      encoding: 'utf8',
      stdio: 'pipe',
    });
}
