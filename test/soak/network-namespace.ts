import { spawnSync } from 'node:child_process';
import { Child, TSX_LOADER } from '../support/child.js';
import { CLI_VARIABLE } from '../support/command.js';

/**
 * Loopback carries 64 KiB in one packet, so that the kernel takes whole responses for a client that does not read. With the
 * packets of an Ethernet it takes a part of them, as for clients elsewhere.
 */
const MTU = 1500;

/** A new network, in which this user is root. */
const UNSHARE = ['--net', '--map-root-user', 'sh', '-c', `ip link set lo up mtu ${MTU} && exec "$@"`, 'sh'];

/** Why this machine cannot give a program its own network namespace; `undefined` if it can. */
export function faultOfNamespaces(): string | undefined {
  const { status, error, stderr } = spawnSync('unshare', [...UNSHARE, 'true'], { encoding: 'utf8' });
  if (status === 0) return undefined;
  return error?.message ?? stderr.trim();
}

/**
 * Starts a script in a network of its own, which has nothing but a loopback interface with an MTU of 1,500. The script tests
 * the same command as this process.
 */
export function startInNamespace(script: string, args: readonly string[]): Child {
  const built = process.env[CLI_VARIABLE];
  const env = built === undefined ? {} : { [CLI_VARIABLE]: built };
  return Child.start('unshare', [...UNSHARE, process.execPath, ...TSX_LOADER, script, ...args], { env });
}
