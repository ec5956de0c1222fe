/**
 * Loaded into the server of an endurance run by `--import`: at SIGUSR2, collects all garbage and writes one line with what
 * is left to the standard output, in bytes.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

process.on('SIGUSR2', () => {
  collectGarbage();
  const { heapUsed, rss } = process.memoryUsage();
  process.stdout.write(`probe ${JSON.stringify({ heapUsed, rss })}\n`);
});
