import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import process from 'node:process';
import { createInterface } from 'node:readline';

/** The processes that have not ended. They are ended when this process exits. */
const running = new Set();
process.once('exit', () => {
  for (const child of running) child.kill();
});

/**
 * Starts a program of Node, and resolves to the first match of a pattern in a line of its output.
 *
 * @param {readonly string[]} args Of `node`.
 * @param {{ pattern: RegExp, env?: NodeJS.ProcessEnv, core?: number }} options `core`: the only core that it may run on.
 * @returns {Promise<{ pid: number, found: string, stop(): Promise<void> }>} `found`: the first group of the pattern.
 */
export async function startProcess(args, { pattern, env, core }) {
  const command = [...(core === undefined ? [] : ['taskset', '--cpu-list', String(core)]), process.execPath, ...args];
  const child = spawn(command[0], command.slice(1), {
    env: { ...process.env, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.add(child);
  const exited = once(child, 'exit').finally(() => running.delete(child));
  for await (const line of createInterface(child.stdout)) {
    const found = pattern.exec(line)?.[1];
    if (found === undefined) continue;
    child.stdout.resume();
    return {
      pid: child.pid,
      found,
      async stop() {
        child.kill();
        await exited;
      },
    };
  }
  throw new Error(`${args.join(' ')} ended, and has printed nothing like ${pattern}`);
}

/**
 * The time that the threads of a process have spent on a CPU, in user mode and in the kernel, in microseconds: the first field of
 * `/proc/<pid>/task/<tid>/schedstat` (Documentation/scheduler/sched-stats.rst of the Linux kernel).
 */
export function cpuTimeOf(pid) {
  const nanoseconds = readdirSync(`/proc/${pid}/task`).map((thread) => {
    const text = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8');
    return Number(text.split(' ', 1)[0]);
  });
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1000;
}
