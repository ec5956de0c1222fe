import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CLI = fileURLToPath(new URL('../../src/bootstrap/cli.ts', import.meta.url));
const LISTENING = /^Animal Store (\S+) listens on (http:\/\/\S+:(\d+)(?:\/\S*)?)\n/m;
const START_DEADLINE = 20_000;
const STOP_DEADLINE = 12_000;

/** How a process ended: by a code of its own, or by a signal. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Where the command says that it listens. `url` ends with the base path. */
export interface Listening {
  readonly version: string;
  readonly url: string;
  readonly port: number;
}

/** A run of the command in a process of its own. */
export interface Command {
  readonly pid: number;
  /** Everything that it has written to standard output so far. */
  readonly stdout: string;
  /** Everything that it has written to standard error so far. */
  readonly stderr: string;
  /** Settles when the process has ended and both of its outputs are complete. */
  readonly exited: Promise<Exit>;
  /** Resolves as soon as it says that it listens; rejects if it ends before, or takes longer than 20 s. */
  listening(): Promise<Listening>;
  kill(signal: NodeJS.Signals): void;
  /** Ends it with SIGTERM, or with SIGKILL if that takes longer than 12 s; settles as `exited` does. */
  stop(): Promise<Exit>;
}

/** A run of `animal-store serve` that listens. */
export interface RunningCommand extends Command, Listening {}

/** Environment variables for a run: these, `PATH` and `HOME` are all that it gets. */
export type Environment = Readonly<Record<string, string>>;

/** Runs `animal-store` with exactly these arguments, without waiting for anything. */
export function runCommand(args: readonly string[], env: Environment = {}): Command {
  const child = spawn(process.execPath, ['--import', 'tsx', CLI, ...args], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return new SpawnedCommand(child);
}

/** Runs `animal-store serve` on a free port of 127.0.0.1 with these flags besides, and waits until it listens. */
export async function startCommand(flags: readonly string[] = [], env: Environment = {}): Promise<RunningCommand> {
  const command = runCommand(['serve', '--port', '0', ...flags], env);
  return Object.assign(command, await command.listening());
}

class SpawnedCommand implements Command {
  stdout = '';
  stderr = '';
  readonly exited: Promise<Exit>;
  readonly #child: ChildProcess;

  constructor(child: ChildProcess) {
    this.#child = child;
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    const killIt = (): void => void child.kill('SIGKILL');
    process.once('exit', killIt);
    this.exited = once(child, 'close').then(([code, signal]: unknown[]) => {
      process.off('exit', killIt);
      return { code: code as Exit['code'], signal: signal as Exit['signal'] };
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  listening(): Promise<Listening> {
    return new Promise((resolve, reject) => {
      const settle = (act: () => void): void => {
        clearTimeout(timer);
        this.#child.stdout?.off('data', look);
        act();
      };
      const fail = (why: string): void => settle(() => reject(new Error(`${why}\n${this.stdout}\n${this.stderr}`)));
      const look = (): void => {
        const [, version, url, port] = LISTENING.exec(this.stdout) ?? [];
        if (version && url) settle(() => resolve({ version, url, port: Number(port) }));
      };
      const timer = setTimeout(() => fail('The command does not say that it listens:'), START_DEADLINE);
      this.#child.stdout?.on('data', look);
      void this.exited.then(() => fail('The command ended before it listened:'), reject);
      look();
    });
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  async stop(): Promise<Exit> {
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), STOP_DEADLINE);
    this.#child.kill('SIGTERM');
    const exit = await this.exited;
    clearTimeout(timer);
    return exit;
  }
}
