import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Whether there are two cores to pin processes to, and `taskset` to do it with. */
export const CAN_PIN = availableParallelism() > 1 && hasTaskset();

/** The core of the server that is measured. */
export const SERVER_CORE = 0;

/** The core of whatever sends requests. */
export const CLIENT_CORE = 1;

/** A command and its arguments, on one core if processes can be pinned. */
export function onCore(core, command, args) {
  return CAN_PIN ? ['taskset', ['--cpu-list', String(core), command, ...args]] : [command, args];
}

function hasTaskset() {
  try {
    execFileSync('taskset', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
