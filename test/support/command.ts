import { fileURLToPath } from 'node:url';
import { Child, TSX_LOADER, type ChildOptions, type Environment } from './child.js';

/** Names the built command that tests start; without it, they start the source. */
export const CLI_VARIABLE = 'ANIMAL_STORE_TEST_CLI';
/** Names the package that a run of all tests has packed; without it, the tests of the package pack it themselves. */
export const TARBALL_VARIABLE = 'ANIMAL_STORE_TEST_TARBALL';
const LISTENING = /^Animal Store (\S+) listens on (http:\/\/\S+:(\d+)(?:\/\S*)?)\n/m;

/** A command that tests start, and what lets Node read it. */
export interface CommandToStart {
  readonly loader: readonly string[];
  readonly cli: string;
}

/** The command in the sources. */
export const SOURCE: CommandToStart = {
  loader: TSX_LOADER,
  cli: fileURLToPath(new URL('../../src/bootstrap/cli.ts', import.meta.url)),
};

/** Where the command says that it listens. `url` ends with the base path. */
export interface Listening {
  readonly version: string;
  readonly url: string;
  readonly port: number;
}

/** A run of `animal-store serve` that listens. */
export type RunningCommand = Child & Listening;

/** How a run of the command ended, and what it printed. */
export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The command that tests start: built if {@link CLI_VARIABLE} names one. */
export function builtOrSource(): CommandToStart {
  const built = process.env[CLI_VARIABLE];
  return built === undefined ? SOURCE : { loader: [], cli: built };
}

/** Runs `animal-store` with exactly these arguments, without waiting for anything. */
export function runCommand(args: readonly string[], env: Environment = {}, options: ChildOptions = {}): Child {
  const { loader, cli } = builtOrSource();
  return Child.start(process.execPath, [...loader, cli, ...args], { ...options, env });
}

/**
 * Resolves as soon as a run of `animal-store serve` says that it listens; rejects if it ends before.
 *
 * @param deadline As for `Child.find`.
 */
export async function listening(command: Child, deadline?: number): Promise<Listening> {
  return command.find(() => {
    const [, version, url, port] = LISTENING.exec(command.stdout) ?? [];
    return version && url ? { version, url, port: Number(port) } : undefined;
  }, deadline);
}

/** Runs `animal-store serve` on a free port of 127.0.0.1 with these additional flags, and waits until it listens. */
export async function startCommand(
  flags: readonly string[] = [],
  env: Environment = {},
  options: ChildOptions = {},
): Promise<RunningCommand> {
  const command = runCommand(['serve', '--port', '0', ...flags], env, options);
  return Object.assign(command, await listening(command));
}

/** Runs the command until it ends by itself. Rejects, and ends it, if it listens instead. */
export async function outcomeOf(
  args: readonly string[],
  env: Environment = {},
  options: ChildOptions = {},
): Promise<Outcome> {
  const command = runCommand(args, env, options);
  const listens = listening(command).then(
    () => true,
    () => false,
  );
  if (await listens) {
    await command.stop();
    throw new Error(`animal-store ${args.join(' ')} listens, but should have ended:\n${command.stdout}`);
  }
  const { code } = await command.exited;
  return { code, stdout: command.stdout, stderr: command.stderr };
}
