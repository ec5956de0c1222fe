import { execFileSync } from 'node:child_process';
import { CLIENT_CORE } from '../cores.js';
import { loadWithAutocannon } from './autocannon.js';
import { loadOfHeads } from './head.js';
import { loadWithWrk } from './wrk.js';

/**
 * What a load generator has seen: how many answers, in how many seconds, how many of them were not 2xx, and the latency
 * that half and 99 % of them kept, in microseconds.
 *
 * @typedef {{ requests: number, seconds: number, failures: number, p50: number, p99: number }} Load
 */

const hasWrk = isOnPath('wrk');

/** Which load generator sends the requests, for the report. */
export const LOAD_GENERATOR = hasWrk ? 'wrk' : 'autocannon, as wrk is not on the PATH';

/**
 * Sends a scenario's requests in turn, and checks that every answer was as expected.
 *
 * @param {string} origin
 * @param {import('../scenarios.js').Scenario} scenario
 * @param {{ seconds: number, connections: number, rate?: number, core?: number }} options `core`: where the load generator
 *   runs, by default on a core of its own.
 * @returns {Promise<Load>}
 */
export async function sendLoad(origin, scenario, { core = CLIENT_CORE, ...options }) {
  const load = await loaderOf(scenario)(origin, scenario, { ...options, core });
  const expected = scenario.status < 300 ? 0 : load.requests;
  if (load.failures !== expected) {
    throw new Error(
      `${scenario.name}: ${load.failures} of ${load.requests} answers were not 2xx, expected ${expected}`,
    );
  }
  return load;
}

function loaderOf({ requests }) {
  if (requests.every(({ method }) => method === 'HEAD')) return loadOfHeads;
  return hasWrk ? loadWithWrk : loadWithAutocannon;
}

function isOnPath(command) {
  try {
    execFileSync('which', [command], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
