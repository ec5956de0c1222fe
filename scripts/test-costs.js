/** Runs the measurements one after another: `npm run test:costs`. Let nothing else run beside them. Ends as `test.js` does. */
import { report, runTests, withFixtures } from './test-run.js';
import { COSTS } from './tests-apart.js';

await withFixtures(async () => runTests('The measurements', COSTS, { alone: true }));
report();
