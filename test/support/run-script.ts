import { dirname, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Child } from './child.js';
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
