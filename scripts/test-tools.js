/**
 * Runs the tests of the OpenAPI document by the tools of others, which it first installs: those of npm in `test/tools`, the
 * others in `.cache`. Ends as `test.js` does.
 */
import { tsImport } from 'tsx/esm/api';
import { report, runTests, testFilesIn } from './test-run.js';
import { TOOLS } from './tests-apart.js';

const { installTools } = await tsImport('../test/tools/install.ts', import.meta.url);
await installTools();
// The one that takes longest comes first.
const files = TOOLS.flatMap(testFilesIn).sort((a, b) => b.includes('schemathesis') - a.includes('schemathesis'));
await runTests('The tests by tools of others', files);
report();
