import { ConfigError } from '../../src/bootstrap/settings/config-error.js';
import type { Environment } from '../support/child.js';
import { rejectionOf } from '../support/rejection-of.js';

// The top-level await has Mocha load each test that uses this by `import`, as the command loads its parts: there is one copy of each.
const { run } = await import('../../src/bootstrap/commands/run.js');

/** Runs a command in this process, with no other environment. For many inputs, beside tests that start the process. */
export async function runHere(args: readonly string[], env: Environment = {}): Promise<void> {
  const before = { ...process.env };
  for (const name of Object.keys(before)) Reflect.deleteProperty(process.env, name);
  Object.assign(process.env, env);
  try {
    await run(args);
  } finally {
    for (const name of Object.keys(process.env)) Reflect.deleteProperty(process.env, name);
    Object.assign(process.env, before);
  }
}

/** Why the command refuses these arguments and this environment. */
export async function refusalOf(args: readonly string[], env: Environment = {}): Promise<string> {
  const error = await rejectionOf(runHere(args, env));
  if (error instanceof ConfigError) return error.message;
  throw error;
}

/** What the command prints, as to a file. */
export async function printedBy(args: readonly string[], env: Environment = {}): Promise<string> {
  const { write } = process.stdout;
  let printed = '';
  process.stdout.write = (text: unknown, done?: unknown) => {
    printed += String(text);
    if (typeof done === 'function') (done as () => void)();
    return true;
  };
  try {
    await runHere(args, env);
  } finally {
    process.stdout.write = write;
  }
  return printed;
}

/** The lines of a text that are not empty. */
export function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}

/** An entry of a log. */
export interface Entry extends Readonly<Record<string, unknown>> {
  readonly level: number;
  readonly msg: string;
  readonly requestId?: string;
  readonly time: number;
  readonly err?: { readonly message: string; readonly stack: string };
}

/** The whole lines of a log; throws where a line is not a JSON object. */
export function entriesIn(log: string): Entry[] {
  return linesOf(log.slice(0, log.lastIndexOf('\n') + 1)).map((line) => JSON.parse(line) as Entry);
}
