import { shareServer } from './mongodb-server.js';
import { sharePackage } from './share-package.js';

let ends: readonly (() => Promise<void>)[] = [];

/**
 * Starts the MongoDB server, and makes the package, for all tests that this process runs from now on in processes of their own.
 * `scripts/test-run.js` calls it.
 */
export async function setUp(): Promise<void> {
  ends = await Promise.all([shareServer(), sharePackage()]);
}

/** Ends the server, and removes the package. */
export async function tearDown(): Promise<void> {
  await Promise.all(ends.map(async (end) => end()));
}
