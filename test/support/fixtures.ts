import { shareServer } from './mongodb-server.js';
import { sharePostgres } from './postgres.js';
import { sharePackage } from './share-package.js';

let ends: readonly (() => Promise<void>)[] = [];

/**
 * Mocha's global fixtures, which `.mocharc.json` has loaded: under `npm test` and its siblings of many files, all files share one MongoDB server, one
 * PostgreSQL server, and the packed package. A file that is run by itself, as with `npx mocha`, starts what it needs, and the command from the sources.
 */
export async function mochaGlobalSetup(): Promise<void> {
  if (!['test', 'test:node', 'test:service', 'test:tools'].includes(process.env['npm_lifecycle_event'] ?? '')) return;
  ends = await Promise.all([shareServer(), sharePostgres(), sharePackage()]);
}

export async function mochaGlobalTeardown(): Promise<void> {
  await Promise.all(ends.map(async (end) => end()));
}
