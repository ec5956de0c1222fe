import { ConfigError } from '../../src/bootstrap/settings/config-error.js';
import type { Environment } from '../support/child.js';
import type { Outcome } from '../support/command.js';
import { rejectionOf } from '../support/rejection-of.js';

// The top-level await has Mocha load each test that uses this by `import`, as the command loads its parts: there is one copy of each.
const { run } = await import('../../src/bootstrap/commands/run.js');

/**
 * Why the command refuses these arguments and this environment. Finds it out in this process, without the third of a second
 * that another process takes: for many inputs, beside tests that show how the process prints a refusal and ends.
 */
export async function refusalOf(args: readonly string[], env: Environment = {}): Promise<ConfigError> {
  const error = await rejectionOf(run({ args, env }));
  if (error instanceof ConfigError) return error;
  throw error;
}

/**
 * What the command prints, as to a file, for these arguments and this environment. Runs in this process, as `refusalOf`.
 *
 * @param onPrinted Called with each text when it is printed, also by a command that then fails.
 */
export async function printedBy(
  args: readonly string[],
  env: Environment = {},
  onPrinted: (text: string) => void = () => undefined,
): Promise<string> {
  const { stdout } = process;
  const { write, isTTY } = stdout;
  let printed = '';
  stdout.write = (text) => {
    printed += String(text);
    onPrinted(String(text));
    return true;
  };
  stdout.isTTY = false;
  try {
    await run({ args, env });
  } finally {
    Object.assign(stdout, { write, isTTY });
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

/** The errors that a refused configuration lists, a line each; throws where the list has not its agreed form. */
export function errorsOf({ stderr }: Outcome): string[] {
  const [head = '', ...rest] = linesOf(stderr);
  const announced = /^animal-store: invalid configuration \((\d+) errors?\):$/.exec(head)?.[1];
  if (announced === undefined) throw new Error(`no list of errors:\n${stderr}`);
  const errors = rest.filter((line) => /^ {2}\S/.test(line)).map((line) => line.trim());
  if (errors.length !== Number(announced))
    throw new Error(`announces ${announced} errors, lists otherwise:\n${stderr}`);
  return errors;
}

/** The errors among some that name a flag or variable as their first word. */
export function errorsAbout(name: string, errors: readonly string[]): string[] {
  return errors.filter((error) => error.startsWith(name) && !/^[\w-]/.test(error.slice(name.length)));
}
