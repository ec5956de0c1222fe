import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { Child, type Environment } from '../support/child.js';

/** A run of a program in a sandbox. */
export interface SandboxOptions {
  /** The folder that is `/app` in the sandbox, and the working directory. */
  readonly app: string;
  /** Whether the file system is read-only and the program is process 1 of a user that is not root, as in production. */
  readonly isLockedDown: boolean;
  /** The whole environment, but for `PATH` and `HOME`. */
  readonly env?: Environment;
  /** A folder that is `/app/node_modules`, read-only. */
  readonly packages?: string | undefined;
  /** Another folder that the program may write to, under the same path. */
  readonly writable?: string;
}

/**
 * Runs a program by bubblewrap: it sees the programs of this machine, Node, `/app`, and no other file. It shares the network.
 */
export function runInSandbox(args: readonly string[], options: SandboxOptions): Child {
  const { app, isLockedDown, env = {}, packages, writable } = options;
  const node = dirname(dirname(process.execPath));
  const { PATH: _path, HOME: _home, ...variables } = env;
  const flags = [
    ...['--ro-bind', '/usr', '/usr', '--ro-bind', '/etc', '/etc', '--proc', '/proc', '--dev', '/dev'],
    ...['/bin', '/lib', '/lib64', '/run/systemd/resolve'].flatMap((path) => ['--ro-bind-try', path, path]),
    ...(node === '/usr' ? [] : ['--ro-bind', node, node]),
    ...(isLockedDown ? [] : ['--tmpfs', '/tmp']),
    ...[isLockedDown ? '--ro-bind' : '--bind', app, '/app', '--chdir', '/app'],
    ...(packages === undefined ? [] : ['--ro-bind', packages, '/app/node_modules']),
    ...(writable === undefined || !existsSync(writable) ? [] : ['--bind', writable, writable]),
    ...(isLockedDown ? ['--remount-ro', '/', '--as-pid-1', '--unshare-user', '--uid', '1000', '--gid', '1000'] : []),
    ...['--unshare-pid', '--die-with-parent', '--json-status-fd', '3', '--clearenv', '--setenv', 'HOME', '/'],
    ...['--setenv', 'PATH', `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`],
    ...Object.entries(variables).flatMap(([name, value]) => ['--setenv', name, value]),
  ];
  // bubblewrap keeps the descriptor of its status from the program, so that has to be another one than standard error.
  return Child.start('sh', ['-c', 'exec bwrap "$@" 3>&2', 'sh', ...flags, '--', ...args]);
}

/** The id of the program in a sandbox, as seen from outside. */
export async function pidInSandbox(sandbox: Child): Promise<number> {
  return Number(await sandbox.find(() => /"child-pid": (\d+)/.exec(sandbox.stderr)?.[1]));
}
