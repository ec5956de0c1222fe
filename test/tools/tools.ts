import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Child, ROOT, type ChildOptions } from '../support/child.js';
import { startCommand, outcomeOf, type RunningCommand } from '../support/command.js';
import { makeTemporaryFolder } from '../support/temporary-folder.js';
import { installPython, TOOLS } from './install.js';

/** The API key of the services that these tests start. */
export const KEY = 'a-key-of-more-than-16';

/** How a tool ended, and what it printed on both outputs. */
export interface Outcome {
  readonly code: number | null;
  readonly output: string;
}

/** The path of a program of npm. */
export function npmProgram(name: string): string {
  return join(TOOLS, 'node_modules/.bin', name);
}

/** Runs a program to its end. */
export async function run(program: string, args: readonly string[], options: ChildOptions = {}): Promise<Outcome> {
  const env = { REDOCLY_TELEMETRY: 'off', NO_COLOR: '1', SCARF_ANALYTICS: 'false', ...options.env };
  const child = Child.start(program, args, { ...options, env });
  const { code } = await child.exited;
  return { code, output: child.stdout + child.stderr };
}

/** Runs Python to its end, with the packages of `requirements.txt`. */
export async function runPython(args: readonly string[], options: ChildOptions = {}): Promise<Outcome> {
  const env = { PYTHONPATH: await installPython(), PYTHONDONTWRITEBYTECODE: '1', ...options.env };
  return run('python3', args, { ...options, env });
}

/** A program of those packages, as arguments of Python. */
export async function pythonProgram(name: string): Promise<string> {
  return join(await installPython(), 'bin', name);
}

/** The document that `animal-store openapi` prints, and a file that holds it until the test ends. */
export async function printedDocument(): Promise<{ readonly file: string; readonly text: string }> {
  const { code, stdout, stderr } = await outcomeOf(['openapi']);
  if (code !== 0) throw new Error(`animal-store openapi ended with ${code}: ${stderr}`);
  return { file: fileOf('openapi.json', stdout), text: stdout };
}

/** A file of this name in a folder of its own, until the test ends. */
export function fileOf(name: string, text: string): string {
  const file = join(makeTemporaryFolder(), name);
  writeFileSync(file, text);
  return file;
}

/** Starts the command on a free port, with {@link KEY} as its key. */
export async function startService(flags: readonly string[] = []): Promise<RunningCommand> {
  return startCommand(flags, { API_KEYS: `me:${KEY}` });
}

export { ROOT, TOOLS };
