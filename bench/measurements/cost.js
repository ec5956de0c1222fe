import { cpuTimeOf } from '../cpu-time.js';
import { sendLoad } from '../load/load-generator.js';
import { withServers } from '../server-process.js';
import { inRounds } from './rounds.js';

/** How many connections send requests. */
export const CONNECTIONS = 64;

/** After how many seconds a server counts as warm, however few requests it has answered. */
const LONGEST_WARM_UP = 10;

/**
 * What a request costs its server: CPU time in microseconds, in user mode and in the kernel; and how many it answers.
 *
 * @typedef {{ user: number, system: number, perSecond: number }} Cost
 */

/**
 * Sends the requests of a scenario to several servers, which take turns of a second, so that what changes on the machine
 * meanwhile touches all of them alike. Tells what each request costs: CPU time in microseconds, in user mode and in the
 * kernel. Garbage collector and compiler are part of it.
 *
 * @param {readonly { pid: number, origin: string }[]} servers
 * @param {import('../scenarios.js').Scenario} scenario
 * @param {{ seconds: number, warmUpRequests: number, connections?: number, core?: number }} options `seconds`: how many turns
 *   each gets. `core`: where the load generator runs.
 * @returns {Promise<Cost[]>} In the order of the servers.
 */
export async function costsOf(servers, scenario, { seconds, warmUpRequests, connections = CONNECTIONS, core }) {
  for (const server of servers) await warmUp(server, scenario, { warmUpRequests, connections, core });
  const turns = await inRounds(seconds, servers, async ({ pid, origin }) => {
    const before = cpuTimeOf(pid);
    const load = await sendLoad(origin, scenario, { seconds: 1, connections, core });
    const after = cpuTimeOf(pid);
    return { ...load, user: after.user - before.user, system: after.system - before.system };
  });
  return turns.map((own) => {
    const sum = (member) => own.reduce((total, turn) => total + turn[member], 0);
    const requests = sum('requests');
    if (requests === 0) throw new Error(`${scenario.name}: no answer within ${seconds} s`);
    return { user: sum('user') / requests, system: sum('system') / requests, perSecond: requests / sum('seconds') };
  });
}

/**
 * Tells what requests cost several servers, in rounds of fresh processes. Each round starts with another one, because the
 * first process of a round tends to need more.
 *
 * @param {readonly (() => Promise<{ pid: number, origin: string, stop(): Promise<void> }>)[]} starts
 * @param {readonly import('../scenarios.js').Scenario[]} scenarios
 * @param {{ rounds: number, seconds: number, warmUpRequests: number, core?: number }} options
 * @returns {Promise<Record<string, Cost>[][]>} For each server and round, the costs by the names of the scenarios.
 */
export async function costsInRounds(starts, scenarios, { rounds, ...options }) {
  const costs = starts.map(() => []);
  for (let round = 0; round < rounds; round++) {
    const order = starts.map((_, i) => (i + round) % starts.length);
    await withServers(
      order.map((i) => starts[i]),
      async (servers) => {
        const own = servers.map(() => ({}));
        for (const scenario of scenarios) {
          const all = await costsOf(servers, scenario, options);
          all.forEach((cost, place) => (own[place][scenario.name] = cost));
        }
        order.forEach((i, place) => costs[i].push(own[place]));
      },
    );
  }
  return costs;
}

/** The same as {@link costsOf} for one server. */
export async function costOf(server, scenario, options) {
  const [cost] = await costsOf([server], scenario, options);
  return cost;
}

/** Sends requests until the server has answered so many that its code is compiled. */
export async function warmUp({ origin }, scenario, { warmUpRequests, connections = CONNECTIONS, core }) {
  let requests = 0;
  for (let second = 0; second < LONGEST_WARM_UP && requests < warmUpRequests; second++) {
    const load = await sendLoad(origin, scenario, { seconds: 1, connections, core });
    requests += load.requests;
  }
}
