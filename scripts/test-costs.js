/**
 * Runs the measurements one after another: `npm run test:costs`. Let nothing else run beside them, not even a database, which they
 * do not need. Ends as `test.js` does.
 */
import { tsImport } from 'tsx/esm/api';
import { report, runTests } from './test-run.js';
import { COSTS } from './tests-apart.js';

const { sharePackage } = await tsImport('../test/support/share-package.ts', import.meta.url);
const end = await sharePackage();
try {
  await runTests('The measurements', COSTS, { alone: true });
} finally {
  await end();
}
report();
