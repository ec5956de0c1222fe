import { isDeepStrictEqual } from 'node:util';
import { fieldsOf, sendLoad } from './load.js';
import { cpuTimeOf } from './processes.js';
import { markdownTable, median, medianAndSpread } from './report.js';

/** Header fields that Node adds, those that differ from answer to answer, and the length, which depends on a message. */
const VARYING = ['connection', 'date', 'keep-alive', 'x-request-id', 'content-length'];

/**
 * Measures the total CPU time, in user mode and in the kernel, that the processes of servers take for a request. All of them run at
 * the same time and take turns of a second, so that whatever else happens on the machine touches all of them alike. Each round has
 * fresh processes, and begins with another one.
 *
 * @param {readonly import('./subjects.js').Subject[]} subjects The first is compared with the others.
 * @param {readonly import('./scenarios.js').Scenario[]} scenarios
 * @param {{ rounds: number, turns: number, warmUp: number, showsRates?: boolean }} options `showsRates`: adds how many requests each
 *   server has answered in a second.
 * @returns {Promise<string>} A table in Markdown.
 */
export async function measureRequests(subjects, scenarios, { rounds, turns, warmUp, showsRates = false }) {
  /** For each subject and scenario, the microseconds of each round. */
  const costs = subjects.map(() => scenarios.map(() => []));
  /** The same of requests a second. */
  const rates = subjects.map(() => scenarios.map(() => []));
  for (let round = 0; round < rounds; round++) {
    const order = subjects.map((_, i) => (i + round) % subjects.length);
    const servers = [];
    try {
      for (const i of order) servers[i] = await subjects[i].start();
      if (round === 0) await compareAnswers(subjects, servers, scenarios);
      for (const [column, scenario] of scenarios.entries()) {
        for (const i of order) await sendLoad(servers[i].port, scenario, { seconds: 10, count: warmUp });
        const sums = subjects.map(() => ({ cpu: 0, requests: 0 }));
        for (let turn = 0; turn < turns; turn++) {
          for (const i of turn % 2 === 0 ? order : order.toReversed()) {
            const before = cpuTimeOf(servers[i].pid);
            sums[i].requests += await sendLoad(servers[i].port, scenario, { seconds: 1 });
            sums[i].cpu += cpuTimeOf(servers[i].pid) - before;
          }
        }
        for (const [i, { cpu, requests }] of sums.entries()) {
          costs[i][column].push(cpu / requests);
          rates[i][column].push(requests / turns);
        }
      }
    } finally {
      await Promise.all(servers.map(async (server) => server?.stop()));
    }
    console.error(`round ${round + 1} of ${rounds}`);
  }
  return tableOf(subjects, scenarios, costs, showsRates ? rates : []);
}

function tableOf([ours, ...others], scenarios, [own, ...costs], rates) {
  const microseconds = (row) => row.map((rounds) => median(rounds).toFixed(1));
  const ratios = (row) =>
    row.map((rounds, column) =>
      medianAndSpread(
        rounds.map((cost, round) => cost / own[column][round]),
        2,
      ),
    );
  const rows = others.flatMap(({ title }, i) => [
    [`${title}, µs`, ...microseconds(costs[i])],
    [`${title} ÷ ${ours.title}`, ...ratios(costs[i])],
  ]);
  const ofRates = rates.map((row, i) => [
    `${[ours, ...others][i].title}, a second`,
    ...row.map((rounds) => Math.round(median(rounds)).toLocaleString('en')),
  ]);
  return markdownTable(
    ['', ...scenarios.map(({ name }) => name)],
    [[`${ours.title}, µs`, ...microseconds(own)], ...rows, ...ofRates],
  );
}

/** Asks each server the first request of each scenario, and throws if one does not do the same as the first. */
async function compareAnswers(subjects, servers, scenarios) {
  for (const { name, requests } of scenarios) {
    const answers = [];
    for (const { port } of servers) answers.push(await answerOf(port, requests[0]));
    for (const [i, { title }] of subjects.entries()) {
      for (const member of ['status', 'headers', 'body']) {
        const [expected, actual] = [answers[0][member], answers[i][member]];
        if (isDeepStrictEqual(actual, expected)) continue;
        throw new Error(`${title}, ${name}: ${member} is ${text(actual)}, not ${text(expected)}`);
      }
    }
  }
}

async function answerOf(port, request) {
  const { method, path, body } = request;
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, body, headers: fieldsOf(request) });
  const answer = await response.json();
  // Its wording is each server's own.
  delete answer.message;
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !VARYING.includes(name)));
  if (response.status === 201) {
    // The id is the store's own.
    delete answer.id;
    headers.location = headers.location?.replace(/\d+$/, '');
  }
  return { status: response.status, headers, body: answer };
}

function text(value) {
  return JSON.stringify(value).slice(0, 500);
}
