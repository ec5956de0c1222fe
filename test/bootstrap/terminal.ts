import type { Context } from 'mocha';
import { needs } from '../support/needs.js';
import { Child, type ChildOptions } from '../support/child.js';
import { builtOrSource } from '../support/command.js';

/** Runs a line of `animal-store` on a terminal of 80 columns, or of `columns`. Skips the test where that cannot be done. */
export function runOnTerminal(
  context: Context,
  line: string,
  { columns = 80, ...options }: ChildOptions & { readonly columns?: number } = {},
): Child {
  // That of util-linux runs a command on a terminal. The others have no such argument.
  needs(context, 'script', ['--version']);
  const { loader, cli } = builtOrSource();
  const words = [process.execPath, ...loader, cli, line].join(' ');
  const command = `stty cols ${columns}; exec ${words}`;
  return Child.start('script', ['--quiet', '--flush', '--return', '--command', command, '/dev/null'], options);
}
