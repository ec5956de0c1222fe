import { shareServer } from './mongodb-server.js';
import { sharePackage } from './share-package.js';

let ends: readonly (() => Promise<void>)[] = [];

/**
 * Runs once, in the main process of Mocha, before the first test. Starts the MongoDB server and makes the package that
 * the processes of Mocha share.
 */
export async function mochaGlobalSetup(): Promise<void> {
  ends = await Promise.all([shareServer(), sharePackage()]);
}

/** Runs once after the last test. */
export async function mochaGlobalTeardown(): Promise<void> {
  await Promise.all(ends.map(async (end) => end()));
}
