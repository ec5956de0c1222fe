import { spawnSync } from 'node:child_process';
import type { Context } from 'mocha';
import { skip } from '../support/skip.js';

/**
 * Skips the tests if a program that they need is missing, or does not succeed with these arguments. With `CI=true`, that is
 * an error.
 */
export function needs(context: Context, program: string, args: readonly string[]): void {
  const { error, status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status === 0) return;
  const reason = `${program} ${error === undefined ? `does not work: ${stderr.trim()}` : 'is not installed'}`;
  if (process.env['CI'] === 'true') throw new Error(reason);
  skip(context, reason);
}
