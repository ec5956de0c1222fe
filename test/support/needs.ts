import { spawnSync } from 'node:child_process';
import type { Context } from 'mocha';
import { skip } from './skip.js';

/**
 * Skips the tests if a program that they need is not installed, or does not succeed with these arguments: a kernel may forbid
 * a sandbox. With `CI=true`, a program that is not installed is an error, because CI installs it.
 */
export function needs(context: Context, program: string, args: readonly string[]): void {
  const { error, status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status === 0) return;
  if (error === undefined) skip(context, `${program} does not work on this machine: ${stderr.trim()}`);
  if (process.env['CI'] === 'true') throw new Error(`${program} is not installed`);
  skip(context, `${program} is not installed`);
}
