/**
 * Mutation tests by Stryker: `npm run test:mutation`. It changes `src` in thousands of ways, and reports the changes that no
 * test notices.
 *
 * Arguments: the rooms to change, by default all of `stryker.config.js`; and flags of Stryker, such as
 * `--mutate 'src/bootstrap/log/*.ts'`.
 */
import { spawnSync } from 'node:child_process';
import { isBuiltin } from 'node:module';
import { tsImport } from 'tsx/esm/api';
import { ROOMS } from '../stryker.config.js';

/** Mocha's runner is made for Mocha 11, and gets one of its own. */
const PACKAGES = ['@stryker-mutator/core@9.6.1', '@stryker-mutator/mocha-runner@9.6.1', 'mocha@11.8.0'];

const args = process.argv.slice(2);
const named = Object.keys(ROOMS).filter((room) => args.includes(room));
const rooms = named.length > 0 ? named : Object.keys(ROOMS);
const flags = args.filter((arg) => !named.includes(arg));

// All runs of the tests share one server of MongoDB.
const { shareServer } = await tsImport('../test/support/mongodb-server.ts', import.meta.url);
const end = await shareServer();
const npx = ['--yes', ...PACKAGES.map((name) => `--package=${name}`), '--', 'stryker', 'run', ...flags];
for (const room of rooms) {
  console.log(`\n${room}`);
  const { needs } = ROOMS[room];
  if (needs !== undefined && !isBuiltin(needs)) {
    console.log(`left out, because Node ${process.version} has no ${needs}`);
    continue;
  }
  const { status } = spawnSync('npx', npx, { stdio: 'inherit', env: { ...process.env, MUTATION_ROOM: room } });
  if (status !== 0) process.exitCode = 1;
}
await end();
