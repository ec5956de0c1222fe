import { execFileSync } from 'node:child_process';
import type { Context } from 'mocha';
import { Child, type ChildOptions } from '../support/child.js';
import { builtOrSource } from '../support/command.js';
import { skip } from '../support/skip.js';

/** Runs a line of `animal-store` on a terminal of 80 columns, or of `columns`. Skips the test where that cannot be done. */
export function runOnTerminal(
  context: Context,
  line: string,
  { columns = 80, ...options }: ChildOptions & { readonly columns?: number } = {},
): Child {
  if (!hasScript()) skip(context, 'there is no script of util-linux, which runs a command on a terminal');
  const { loader, cli } = builtOrSource();
  const words = [process.execPath, ...loader, cli, line].join(' ');
  const command = `stty cols ${columns}; exec ${words}`;
  return Child.start('script', ['--quiet', '--flush', '--return', '--command', command, '/dev/null'], options);
}

function hasScript(): boolean {
  try {
    return execFileSync('script', ['--version'], { encoding: 'utf8' }).includes('util-linux');
  } catch {
    return false;
  }
}
