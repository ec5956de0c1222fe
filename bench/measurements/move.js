import { execFile } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { median, medianAndSpread } from '../statistics.js';
import { openPreparedMongodb } from '../stores/open-prepared-mongodb.js';
import { markdownTable } from '../table.js';
import { inRounds } from './rounds.js';

const RUN = fileURLToPath(new URL('../move/run.js', import.meta.url));

/** How many animals the memory is compared with. */
const FEW = 10_000;

/**
 * What is moved into or out of each store, beside which bare loop, and the greatest ratio of CPU time that it may have. An import
 * has to store keys, too.
 */
const SQLITE = [
  { what: 'import', beside: 'bare-with-keys', floor: 1.5 },
  { what: 'restore', floor: 1.5 },
  { what: 'export', floor: 1.5 },
];
const MONGODB = [
  { what: 'import', floor: 2 },
  { what: 'import', beside: 'bare-with-keys' },
  { what: 'restore', floor: 1.3 },
];

/**
 * What it costs to move animals into and out of an SQLite file, and into MongoDB, beside a bare loop by `node:sqlite` and the
 * driver. MongoDB is a server of prepared replies, in a process of its own, which stores nothing: a real one would take longer than
 * both sides, and nothing of that is measured here.
 */
export async function measureMove({ storeRounds, count }) {
  const sqlite =
    process.getBuiltinModule('node:sqlite') === undefined
      ? `SQLite is skipped: ${process.version} has no node:sqlite. Run it on Node.js 22 or newer.`
      : await tableOf('SQLite', SQLITE, (...args) => move('sqlite', ...args), { storeRounds, count });
  const mongodb = await tableOf('MongoDB', MONGODB, moveIntoMongodb, { storeRounds, count });
  return `${sqlite}

${mongodb}

User and system CPU time of the client's process for each of ${count} animals; its greatest resident memory beyond that for ${FEW}
animals; the longest time for which ours blocked the event loop. Fresh processes, files and databases; median [least–greatest] of ${storeRounds} rounds. MongoDB is a server of
prepared replies.`;
}

async function moveIntoMongodb(...args) {
  const server = await openPreparedMongodb(0);
  try {
    return await move('mongodb', ...args, { MONGODB_URL: server.url });
  } finally {
    await server.stop();
  }
}

/** The table of a store. `move` moves so many animals, and resolves to what that took. */
async function tableOf(title, moves, move, { storeRounds, count }) {
  const rows = [];
  for (const { what, beside = 'bare', floor } of moves) {
    const [ours, bare, few, bareFew] = await inRounds(
      storeRounds,
      [
        ['ours', count],
        [beside, count],
        ['ours', FEW],
        [beside, FEW],
      ],
      ([side, animals]) => move(what, side, animals),
    );
    const ratios = ours.map(({ cpu }, i) => cpu / bare[i].cpu);
    const microseconds = (runs) => (median(runs.map(({ cpu }) => cpu)) / count).toFixed(2);
    const growth = (runs, fewer) =>
      medianAndSpread(
        runs.map(({ rss }, i) => (rss - fewer[i].rss) / 2 ** 20),
        0,
      );
    const blocked = ours.map((run) => run.blocked);
    rows.push([
      beside === 'bare' ? what : `${what}, beside a bare loop with keys`,
      microseconds(ours),
      microseconds(bare),
      medianAndSpread(ratios),
      floor ?? '',
      growth(ours, few),
      growth(bare, bareFew),
      medianAndSpread(blocked, 0),
    ]);
  }
  const head = [
    title,
    'ours, µs',
    'bare, µs',
    'ours ÷ bare',
    'at most',
    'growth, MiB',
    'growth of bare, MiB',
    'longest block, ms',
  ];
  return markdownTable(head, rows);
}

async function move(kind, what, side, count, env) {
  const args = ['--no-warnings', RUN, kind, what, side, String(count)];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: { ...process.env, ...env } });
  return JSON.parse(stdout);
}
