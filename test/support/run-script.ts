import { rmSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Child, ROOT } from './child.js';
import { endWithFile } from './cleanup.js';
import { builtOrSource } from './command.js';

/** Runs a module with this text in a new process, which must end by itself with exit code 0. Returns its output. */
export async function outputOfScript(script: string): Promise<string> {
  return outputOf(Child.startNode(['--input-type=module', '-e', script]));
}

/**
 * As {@link outputOfScript}, with a text in JavaScript that imports a module of `src/bootstrap` from the URL that it gets: from
 * the built package, if tests start that, which loads in a third of the time.
 *
 * @param name Such as `commands/run`.
 */
export async function outputOfBootstrap(name: string, script: (url: string) => string): Promise<string> {
  return outputOf(startBootstrapScript(name, script));
}

/** As {@link outputOfBootstrap}, without waiting for its end. */
export function startBootstrapScript(name: string, script: (url: string) => string): Child {
  const { loader, cli } = builtOrSource();
  const { href } = pathToFileURL(join(dirname(cli), name + extname(cli)));
  return Child.start(process.execPath, [...loader, '--input-type=module', '-e', script(href)]);
}

async function outputOf(child: Child): Promise<string> {
  const { code } = await child.exited;
  if (code !== 0) throw new Error(`the script ended with ${code}:\n${child.stderr}`);
  return child.stdout;
}

/**
 * Makes one file in JavaScript of a script of the tests, for scripts that are started again and again: it starts in a sixth of the
 * time. Its packages stay where they are. Resolves to its path; it is removed at the end of the test file.
 */
export async function bundleScript(script: string): Promise<string> {
  // Only here, because the scripts themselves import helpers beside this one.
  const { build } = await import('esbuild');
  const outfile = join(ROOT, '.cache', `${basename(script, '.ts')}-${process.pid}.mjs`);
  endWithFile(() => rmSync(outfile, { force: true }));
  await build({
    entryPoints: [script],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    logLevel: 'error',
  });
  return outfile;
}
