import { readFileSync } from 'node:fs';
import { sendLoad } from '../load/load-generator.js';
import { LIST } from '../scenarios.js';
import { startServer } from '../server-process.js';
import { medianAndSpread } from '../statistics.js';
import { markdownTable } from '../table.js';
import { CONNECTIONS } from './cost.js';
import { inRounds } from './rounds.js';

/** The resident memory of each server with 10,000 animals: before the first request, and after lists under full load. */
export async function measureMemory({ subjects, rounds, seconds }) {
  const sizes = await inRounds(rounds, subjects, async ({ name }) => {
    const server = await startServer(name);
    try {
      const idle = residentMegabytes(server.pid);
      await sendLoad(server.origin, LIST, { seconds: seconds * 2, connections: CONNECTIONS });
      return { idle, loaded: residentMegabytes(server.pid) };
    } finally {
      await server.stop();
    }
  });
  const rows = subjects.map(({ title }, i) => [
    title,
    medianAndSpread(
      sizes[i].map(({ idle }) => idle),
      0,
    ),
    medianAndSpread(
      sizes[i].map(({ loaded }) => loaded),
      0,
    ),
  ]);
  return markdownTable(['server', 'memory at start, MB', 'after load, MB'], rows);
}

function residentMegabytes(pid) {
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return (Number(kibibytes) * 1024) / 1e6;
}
