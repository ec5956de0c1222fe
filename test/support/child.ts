import { spawn, type ChildProcess, type StdioNull, type StdioPipe } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { endWithTest } from './cleanup.js';
import { WAIT_MS } from './patience.js';

/** Arguments that let Node read TypeScript, in any folder. */
export const TSX_LOADER: readonly string[] = ['--import', import.meta.resolve('tsx')];

/** The folder of this repository. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** How long a process may take to end after SIGTERM before it gets SIGKILL, in milliseconds. */
const STOP_DEADLINE = 60_000;

/** Environment variables for a process: these, `PATH` and `HOME` are all that it gets. */
export type Environment = Readonly<Record<string, string>>;

/** How a process ended: by an exit code or by a signal. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Options of {@link Child.start}. */
export interface ChildOptions {
  readonly env?: Environment;
  /** The folder to run in. @default the one of this repository */
  readonly cwd?: string;
  /** Whether the process can be sent input. @default 'ignore' */
  readonly stdin?: StdioNull | StdioPipe;
  /** A file descriptor for its standard output. @default a pipe that is read into `stdout` */
  readonly stdout?: StdioPipe | number;
  /**
   * A file descriptor for its standard error, or `unread` for a socket that nobody reads while the process runs.
   * @default a socket that is read into `stderr`
   */
  readonly stderr?: StdioPipe | number | 'unread';
  /** Whether signals go to the processes that it starts, too. @default false */
  readonly isGroup?: boolean;
  /** Whether it lives until the caller or the end of this process ends it. @default false */
  readonly outlivesTest?: boolean;
}

/** A process that a test started. It gets SIGKILL when the test ends, unless it is to outlive it. */
export class Child {
  /** Everything that it has written to standard output so far. */
  stdout = '';
  /** Everything that it has written to standard error so far. */
  stderr = '';
  /** Settles when the process has ended and both of its outputs are complete. Rejects if it could not be started. */
  readonly exited: Promise<Exit>;
  readonly #process: ChildProcess;
  readonly #readsStderr: boolean;
  readonly #isGroup: boolean;

  private constructor(child: ChildProcess, { stderr, isGroup = false, outlivesTest = false }: ChildOptions) {
    this.#process = child;
    this.#readsStderr = stderr !== 'unread';
    this.#isGroup = isGroup;
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    if (this.#readsStderr) child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    const kill = (): void => this.kill('SIGKILL');
    process.once('exit', kill);
    const end = async (): Promise<void> => {
      this.kill('SIGKILL');
      await this.exited;
    };
    const forget = outlivesTest ? undefined : endWithTest(end);
    this.exited = once(child, 'close')
      .then(([code, signal]: unknown[]) => ({ code: code as Exit['code'], signal: signal as Exit['signal'] }))
      .finally(() => {
        process.off('exit', kill);
        forget?.();
      });
  }

  /** Starts a program. */
  static start(program: string, args: readonly string[], options: ChildOptions = {}): Child {
    const { env, cwd = ROOT, stdin = 'ignore', stdout = 'pipe', stderr = 'pipe', isGroup = false } = options;
    const inherited = { PATH: process.env['PATH'], HOME: process.env['HOME'] };
    const stdio = [stdin, stdout, stderr === 'unread' ? 'pipe' : stderr];
    const child = spawn(program, args, {
      cwd,
      env: { ...inherited, ...env },
      stdio,
      detached: isGroup,
    });
    return new Child(child, options);
  }

  /** Starts Node, able to run TypeScript. */
  static startNode(args: readonly string[], options?: ChildOptions): Child {
    return Child.start(process.execPath, [...TSX_LOADER, ...args], options);
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  /**
   * Resolves to what `look` finds in the output, as soon as it finds something. Rejects if the process ends before, or
   * after `deadline` milliseconds.
   */
  async find<T>(look: () => T | undefined, deadline = WAIT_MS): Promise<T> {
    return new Promise((resolve, reject) => {
      const settle = (act: () => void): void => {
        clearTimeout(timer);
        for (const stream of streams) stream?.off('data', tryIt);
        act();
      };
      const fail = (why: string): void => settle(() => reject(new Error(`${why}\n${this.stdout}\n${this.stderr}`)));
      const tryIt = (): void => {
        const found = look();
        if (found !== undefined) settle(() => resolve(found));
      };
      const { stdout, stderr } = this.#process;
      const streams = this.#readsStderr ? [stdout, stderr] : [stdout];
      const timer = setTimeout(() => fail(`still nothing after ${deadline} ms:`), deadline);
      for (const stream of streams) stream?.on('data', tryIt);
      void this.exited.then(() => {
        tryIt();
        fail('the process ended first:');
      }, reject);
      tryIt();
    });
  }

  /** Writes to its standard input. */
  write(text: string): void {
    this.#process.stdin?.write(text);
  }

  kill(signal: NodeJS.Signals): void {
    const { exitCode, signalCode, pid } = this.#process;
    if (!this.#isGroup) this.#process.kill(signal);
    else if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, signal);
  }

  /** Ends it with SIGTERM, or with SIGKILL if that takes longer than 60 s; settles as `exited` does. */
  async stop(): Promise<Exit> {
    const timer = setTimeout(() => this.kill('SIGKILL'), STOP_DEADLINE);
    this.kill('SIGTERM');
    const exit = await this.exited;
    clearTimeout(timer);
    return exit;
  }
}
