import { cpuTimeOf } from '../cpu-time.js';
import { sendLoad } from '../load/load-generator.js';

/** How many connections send requests. */
export const CONNECTIONS = 64;

/** After how many seconds a server counts as warm, however few requests it has answered. */
const LONGEST_WARM_UP = 10;

/**
 * Sends a request again and again, and tells what each one costs the server: CPU time in microseconds, in user mode and in
 * the kernel. Garbage collector and compiler are part of it.
 *
 * @param {{ pid: number, origin: string }} server
 * @param {import('../scenarios.js').Scenario} scenario
 * @param {{ seconds: number, warmUpRequests: number, connections?: number }} options
 * @returns {Promise<{ user: number, system: number, perSecond: number }>}
 */
export async function costOf(server, scenario, { seconds, warmUpRequests, connections = CONNECTIONS }) {
  await warmUp(server, scenario, { warmUpRequests, connections });
  const before = cpuTimeOf(server.pid);
  const load = await sendLoad(server.origin, scenario, { seconds, connections });
  const after = cpuTimeOf(server.pid);
  if (load.requests === 0) throw new Error(`${scenario.name}: no answer within ${seconds} s`);
  return {
    user: (after.user - before.user) / load.requests,
    system: (after.system - before.system) / load.requests,
    perSecond: load.requests / load.seconds,
  };
}

/** Sends a request until the server has answered it so often that its code is compiled. */
export async function warmUp({ origin }, scenario, { warmUpRequests, connections = CONNECTIONS }) {
  let requests = 0;
  for (let second = 0; second < LONGEST_WARM_UP && requests < warmUpRequests; second++) {
    const load = await sendLoad(origin, scenario, { seconds: 1, connections });
    requests += load.requests;
  }
}
