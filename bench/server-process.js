import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { clearTimeout, setTimeout } from 'node:timers';
import { fileURLToPath } from 'node:url';
import { onCore, SERVER_CORE } from './cores.js';

const SERVE = fileURLToPath(new URL('./serve.js', import.meta.url));

/** By when a server listens, or a script has printed its line, in milliseconds. */
const START_TIMEOUT_MS = 60_000;

/** By when a process has ended after SIGTERM; then it is killed. */
const STOP_TIMEOUT_MS = 5000;

/** The processes that have not ended. They are killed when this process exits. */
const running = new Set();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/**
 * Starts a server in a process of its own, and resolves when it listens.
 *
 * @param {string} name Of a file in `servers/`, without its extension.
 * @param {{ animals?: number, clients?: number, env?: NodeJS.ProcessEnv, stderr?: 'inherit' | 'ignore' | 'pipe' | number }}
 *   [options] `stderr`: where its standard error stream goes; a `pipe` is read and thrown away.
 * @returns {Promise<{ pid: number, origin: string, stop(): Promise<void> }>}
 */
export async function startServer(name, { animals, clients, env: more, stderr } = {}) {
  const env = { ...more };
  if (animals !== undefined) env.ANIMALS = String(animals);
  if (clients !== undefined) env.CLIENTS = String(clients);
  const { pid, line, stop } = await startScript([SERVE, name], SERVER_CORE, env, START_TIMEOUT_MS, stderr);
  return { pid, origin: `http://127.0.0.1:${line}`, stop };
}

/**
 * Starts servers, measures them, and stops them, even if that fails.
 *
 * @template Server, Result
 * @param {readonly (() => Promise<Server>)[]} starts
 * @param {(servers: Server[]) => Promise<Result>} measure
 * @returns {Promise<Result>}
 */
export async function withServers(starts, measure) {
  const servers = [];
  try {
    for (const start of starts) servers.push(await start());
    return await measure(servers);
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

/**
 * Starts a script on a core, and resolves to its first line of output. It is killed when this process exits. `ask` sends it a
 * line, and resolves to the next line of its output.
 *
 * @param {readonly string[]} args Of `node`.
 * @param {number} core
 * @param {NodeJS.ProcessEnv} [env] Added to this process's own.
 * @returns {Promise<{ pid: number, line: string, ask(line: string): Promise<string>, stop(): Promise<void> }>}
 */
export async function startScript(args, core, env = {}, timeoutMs = START_TIMEOUT_MS, stderr = 'inherit') {
  const [command, all] = onCore(core, process.execPath, args);
  const child = spawn(command, all, {
    env: { ...process.env, NODE_ENV: 'production', ...env },
    stdio: ['pipe', 'pipe', stderr],
  });
  child.stderr?.resume();
  running.add(child);
  const kill = () => child.kill('SIGKILL');
  const timer = setTimeout(kill, timeoutMs);
  const exited = once(child, 'exit');
  const ended = exited.then(([code, signal]) => {
    clearTimeout(timer);
    running.delete(child);
    throw new Error(`${args.join(' ')} ended without a word: ${signal ?? `exit code ${code}`}`);
  });
  ended.catch(() => undefined);
  const lines = createInterface(child.stdout);
  const nextLine = async () => {
    const [line] = await Promise.race([once(lines, 'line'), ended]);
    return line;
  };
  const line = await nextLine();
  clearTimeout(timer);
  return {
    pid: child.pid,
    line,
    async ask(question) {
      child.stdin.write(`${question}\n`);
      return nextLine();
    },
    async stop() {
      child.kill('SIGTERM');
      const timer = setTimeout(kill, STOP_TIMEOUT_MS);
      await exited;
      clearTimeout(timer);
    },
  };
}
