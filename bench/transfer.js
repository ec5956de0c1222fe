import { execFile } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { fillDatabase } from './mongodb.js';
import { markdownTable, median, medianAndSpread } from './report.js';

const MOVE = fileURLToPath(new URL('move.js', import.meta.url));

/** What is moved. An import also stores the digest of each idempotency key, and so does a restore. */
const MOVES = ['import', 'restore', 'export'];

/** The stores, and what there is to compare each with. */
const STORES = {
  memory: { title: 'memory' },
  mongodb: { title: 'MongoDB', bare: 'the bare driver' },
  sqlite: { title: 'SQLite', bare: 'bare node:sqlite' },
};

/**
 * Measures the CPU time of the process that moves animals into and out of each store, in user mode and in the kernel, beside that of a
 * bare loop that stores the same. Each run has a fresh process, file or database.
 *
 * @param {{ rounds: number, count: number, mongodbUrl: string }} options
 * @returns {Promise<string>} A table in Markdown.
 */
export async function measureTransfer({ rounds, count, mongodbUrl }) {
  const rows = [];
  for (const [store, { title, bare }] of Object.entries(STORES)) {
    if (store === 'sqlite' && process.getBuiltinModule('node:sqlite') === undefined) {
      rows.push(['SQLite', `skipped: Node.js ${process.version} has no node:sqlite`, '', '', '']);
      continue;
    }
    for (const move of MOVES) {
      const ours = [];
      const others = [];
      for (let round = 0; round < rounds; round++) {
        ours.push(await cpuTimeOf(store, move, 'ours', { count, mongodbUrl }));
        if (bare !== undefined) others.push(await cpuTimeOf(store, move, 'bare', { count, mongodbUrl }));
      }
      const microseconds = (runs) => (runs.length === 0 ? '' : (median(runs) / count).toFixed(2));
      const ratios = ours.map((cpu, round) => cpu / others[round]);
      const compared = bare === undefined ? '' : medianAndSpread(ratios, 2);
      rows.push([`${title}: ${move}`, microseconds(ours), bare ?? '', microseconds(others), compared]);
    }
    console.error(`moved ${title}`);
  }
  return markdownTable([`${count} animals`, 'ours, µs an animal', 'beside', 'µs an animal', 'ours ÷ it'], rows);
}

async function cpuTimeOf(store, move, side, { count, mongodbUrl }) {
  const env = { ...process.env };
  if (store === 'mongodb') env['MONGODB_URL'] = await fillDatabase(mongodbUrl, 'bench-transfer', 0);
  const args = ['--no-warnings', MOVE, store, move, side, String(count)];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  return Number(stdout);
}
