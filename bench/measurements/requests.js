import { startServer } from '../server-process.js';
import { median, medianAndSpread } from '../statistics.js';
import { markdownTable } from '../table.js';
import { costsInRounds } from './cost.js';

/**
 * What a request costs each server, and how many it answers in a second: one table, as ratios to Animal Store in the same
 * round.
 */
export async function measureRequests({ subjects, scenarios, rounds, seconds, warmUpRequests }) {
  const starts = subjects.map((subject) => () => startServer(subject.name));
  const costs = await costsInRounds(starts, scenarios, { rounds, seconds, warmUpRequests });
  return `${ratiosTable(subjects, costs, scenarios)}

Animal Store in figures of its own, all others as ratios to it in the same round: a ratio above 1 means that Animal Store
needs less CPU time, or answers more requests. Rounds: ${rounds}; median [least–greatest].`;
}

/** A table of costs: figures of the first server, which is Animal Store, and ratios of the others to it. */
export function ratiosTable(subjects, costs, scenarios) {
  const [ours] = costs;
  const head = ['server', 'per request', ...scenarios.map(({ name }) => name)];
  const rows = subjects.flatMap((subject, i) =>
    i === 0 ? absolute(subject, ours, scenarios) : ratios(subject, costs[i], ours, scenarios),
  );
  return markdownTable(head, rows);
}

function absolute({ title }, costs, scenarios) {
  const cells = (format) => scenarios.map(({ name }) => format(costs.map((round) => round[name])));
  return [
    [title, 'user CPU, µs', ...cells((each) => median(each.map(({ user }) => user)).toFixed(1))],
    ['', 'system CPU, µs', ...cells((each) => median(each.map(({ system }) => system)).toFixed(1))],
    ['', 'requests/s', ...cells((each) => median(each.map(({ perSecond }) => perSecond)).toFixed(0))],
  ];
}

function ratios({ title }, costs, ours, scenarios) {
  const cells = (ratio) =>
    scenarios.map(({ name }) => medianAndSpread(costs.map((round, i) => ratio(round[name], ours[i][name]))));
  return [
    [title, 'user CPU', ...cells((peer, own) => peer.user / own.user)],
    ['', 'system CPU', ...cells((peer, own) => peer.system / own.system)],
    ['', 'requests/s', ...cells((peer, own) => own.perSecond / peer.perSecond)],
  ];
}
