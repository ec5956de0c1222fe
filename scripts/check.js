/**
 * Checks what needs no test: types, lint, format, unused code and the documents of the API. Two checks run at a time.
 * Prints the output of those that fail, and then ends with exit code 1. `npm run check` runs it, with the programs of
 * `node_modules` on the PATH.
 *
 * Argument: `--no-documents` leaves out the documents of the API, which `npm run site` checks, too.
 */
import { spawn, spawnSync } from 'node:child_process';
import { GO_ENVIRONMENT } from './go-environment.js';

/** The longest first. */
const CHECKS = [
  'node scripts/check-typescript.js',
  'prettier --check --cache --cache-location .cache/prettier .',
  'knip',
];
// The first check reports the errors of types.
if (!process.argv.includes('--no-documents')) CHECKS.push('typedoc --emit none --skipErrorChecking');
const AT_ONCE = 2;

/** Checks the workflows of GitHub, with the same result whatever other programs the machine has. */
const ACTIONLINT = 'go run github.com/rhysd/actionlint/cmd/actionlint@v1.7.12 -shellcheck= -pyflakes=';
if (spawnSync('go', ['version']).status === 0) CHECKS.push(ACTIONLINT);
else console.log('- actionlint is left out, because there is no go on the PATH');

/** Runs a check; resolves to whether it succeeded. */
function run(check) {
  return new Promise((done) => {
    const start = performance.now();
    const [program, ...args] = check.split(' ');
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...GO_ENVIRONMENT },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
    child.once('error', (error) => (output += error.message));
    child.once('close', (code) => {
      const seconds = ((performance.now() - start) / 1000).toFixed(0);
      console.log(code === 0 ? `✔ ${check} (${seconds} s)` : `✖ ${check} (${seconds} s)\n${output}`);
      done(code === 0);
    });
  });
}

const waiting = [...CHECKS];
async function runWaiting() {
  for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
    if (!(await run(check))) process.exitCode = 1;
  }
}
await Promise.all(Array.from({ length: AT_ONCE }, runWaiting));
