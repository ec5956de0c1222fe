/**
 * Runs the tests of the OpenAPI document by the tools of others, which it first installs: those of npm in `test/tools`, the
 * others in `.cache`. Ends with the line `N passed, N failed, N skipped`.
 */
import { spawnSync } from 'node:child_process';
import { tsImport } from 'tsx/esm/api';
import { TOOLS } from './tests-apart.js';

const { installTools } = await tsImport('../test/tools/install.ts', import.meta.url);
await installTools();
// The tests compute much, and start processes: more of them at once would only wait for each other.
const env = { TEST_JOBS: '2', ...process.env };
const { status } = spawnSync(process.execPath, ['scripts/test.js', ...TOOLS], { stdio: 'inherit', env });
process.exitCode = status ?? 1;
