import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Child } from './child.js';
import { CLI_VARIABLE } from './command.js';

/** Runs a module with this text in a new process, which must end by itself with exit code 0. Returns its output. */
export async function outputOfScript(script: string): Promise<string> {
  return outputOf(Child.startNode(['--input-type=module', '-e', script]));
}

/**
 * As {@link outputOfScript}, with a text in JavaScript that imports a module of `src/bootstrap` from the URL that it gets: from
 * the built package, if there is one, which starts in a third of the time.
 *
 * @param name Such as `commands/run`.
 */
export async function outputOfBootstrap(name: string, script: (url: string) => string): Promise<string> {
  const cli = process.env[CLI_VARIABLE];
  if (cli === undefined) return outputOfScript(script(new URL(`../../src/bootstrap/${name}.ts`, import.meta.url).href));
  const { href } = pathToFileURL(join(dirname(cli), `${name}.js`));
  return outputOf(Child.start(process.execPath, ['--input-type=module', '-e', script(href)]));
}

async function outputOf(child: Child): Promise<string> {
  const { code } = await child.exited;
  if (code !== 0) throw new Error(`the script ended with ${code}:\n${child.stderr}`);
  return child.stdout;
}
