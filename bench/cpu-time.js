import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const MICROSECONDS_PER_TICK = 1e6 / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/**
 * The CPU time that a process has used so far, all its threads together, in microseconds: fields 14 (`utime`) and 15
 * (`stime`) of `/proc/<pid>/stat` (proc(5)), which count ticks of a hundredth of a second.
 *
 * @param {number} pid
 * @returns {{ user: number, system: number }}
 */
export function cpuTimeOf(pid) {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The second field is the command's name in parentheses, which may hold spaces.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { user: Number(fields[11]) * MICROSECONDS_PER_TICK, system: Number(fields[12]) * MICROSECONDS_PER_TICK };
}
