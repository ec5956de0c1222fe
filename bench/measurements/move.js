import { execFile } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { median, medianAndSpread } from '../statistics.js';
import { markdownTable } from '../table.js';
import { inRounds } from './rounds.js';

const RUN = fileURLToPath(new URL('../move/run.js', import.meta.url));

/** How many animals the memory is compared with. */
const FEW = 10_000;

/** What is moved, and the greatest ratio of CPU time that it may have. */
const MOVES = [
  { what: 'import', floor: 1.5 },
  { what: 'restore', floor: 1.5 },
  { what: 'export', floor: 1.5 },
];

/** What it costs to move animals into and out of an SQLite file, beside a bare loop by `node:sqlite`. */
export async function measureMove({ storeRounds, count }) {
  if (process.getBuiltinModule('node:sqlite') === undefined) {
    return `Skipped: ${process.version} has no node:sqlite. Run it on Node.js 22 or newer.`;
  }
  const rows = [];
  for (const { what, floor } of MOVES) {
    const [ours, bare, few] = await inRounds(
      storeRounds,
      [
        ['ours', count],
        ['bare', count],
        ['ours', FEW],
      ],
      ([side, animals]) => move(what, side, animals),
    );
    const ratios = ours.map(({ cpu }, i) => cpu / bare[i].cpu);
    const microseconds = (runs) => (median(runs.map(({ cpu }) => cpu)) / count).toFixed(2);
    const more = ours.map(({ rss }, i) => (rss - few[i].rss) / 2 ** 20);
    const blocked = ours.map((run) => run.blocked);
    rows.push([
      what,
      microseconds(ours),
      microseconds(bare),
      medianAndSpread(ratios),
      floor,
      medianAndSpread(more, 0),
      medianAndSpread(blocked, 0),
    ]);
  }
  const head = [
    'SQLite',
    'ours, µs',
    'bare, µs',
    'ours ÷ bare',
    'at most',
    'memory beyond that at 10,000, MiB',
    'longest block, ms',
  ];
  return `${markdownTable(head, rows)}

User and system CPU time for each of ${count} animals; greatest resident memory; longest time for which ours blocked the event loop.
Fresh processes and files; median [least–greatest] of ${storeRounds} rounds.`;
}

async function move(what, side, count) {
  const { stdout } = await promisify(execFile)(process.execPath, ['--no-warnings', RUN, what, side, String(count)]);
  return JSON.parse(stdout);
}
