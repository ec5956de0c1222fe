/**
 * Runs test files on another version of Node, which it fetches from npm into `.cache`: `npm run test:node -- 22`.
 *
 * Arguments: the major version, then the files; by default those of `npm test` that a version of Node can break.
 */
import { spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { folderOfNode } from './node-program.js';

/** Sockets, streams, `fetch`, SQLite, processes. */
const FILES = [
  'test/adapters/http/{fetch,koa,node,server}/*.test.ts',
  'test/adapters/{remote,sqlite}/*.test.ts',
  'test/bootstrap/**/*.test.ts',
  'test/{http,service}/*sqlite*.test.ts',
  'test/service/transfer-of-faulty-files.test.ts',
];

const [major, ...files] = process.argv.slice(2);
if (!/^\d+$/.test(major ?? '')) throw new Error('the first argument must be a major version of Node, such as 22');
const folder = folderOfNode(major);
const { status } = spawnSync(
  join(folder, 'node'),
  ['node_modules/mocha/bin/mocha.js', ...(files.length > 0 ? files : FILES)],
  { stdio: 'inherit', env: { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}` } },
);
process.exitCode = status ?? 1;
