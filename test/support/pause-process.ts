import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { until } from './until.js';

const run = promisify(execFile);

/** A process that can be paused. */
export interface Pausable {
  readonly pid?: number | undefined;
  kill(signal: NodeJS.Signals): unknown;
}

/**
 * Stops a process by SIGSTOP, to go on by SIGCONT. Resolves once it stands still: the system takes up to some
 * milliseconds for that after it has taken the signal, in which a server still answers.
 */
export async function pauseProcess(child: Pausable): Promise<void> {
  child.kill('SIGSTOP');
  await until(async () => (await run('ps', ['-o', 'state=', '-p', String(child.pid)])).stdout.startsWith('T'));
}
