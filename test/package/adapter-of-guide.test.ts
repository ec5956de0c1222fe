import { expect } from 'chai';
import { buildSync } from 'esbuild';
import { join } from 'node:path';
import { Child } from '../support/child.js';
import { listening } from '../support/command.js';
import { query } from '../support/postgres-query.js';
import { request } from '../support/request.js';
import { until } from '../support/until.js';
import { usePostgres } from '../support/postgres.js';
import { BLOCKS } from './code-blocks.js';
import { ALL_PACKAGES, CLI, makeProject, passedTests, succeed, write } from './project.js';

const GUIDE = 'docs/writing-an-adapter.md';
const FILES = BLOCKS.filter(({ where, file }) => file !== undefined && where.startsWith(GUIDE));

describe(`the adapter for PostgreSQL in ${GUIDE}`, function () {
  this.timeout(600_000);
  const postgres = usePostgres();
  let project: string;

  before(() => {
    project = makeProject(ALL_PACKAGES);
    for (const { file = '', text } of FILES) write(project, file, text);
    // Node 20 does not run TypeScript.
    for (const name of ['my-store.test', 'my-module']) {
      buildSync({
        entryPoints: [join(project, `${name}.ts`)],
        outfile: join(project, `${name}.mjs`),
        bundle: true,
        packages: 'external',
        platform: 'node',
        format: 'esm',
        target: 'node20',
      });
    }
  });

  it('passes the suites of the ports', async () => {
    const env = { DATABASE_URL: await postgres.createUrl() };
    expect(passedTests(project, ['--test', 'my-store.test.mjs'], env)).to.be.greaterThan(100);
  });

  it('serves, and goes on after all its connections were lost', async () => {
    const env = { DATABASE_URL: await postgres.createDatabase() };
    const store = ['--store', './my-module.mjs'];
    const created = succeed(project, process.execPath, [CLI, 'keys', 'create', '--name', 'anna', ...store], env);
    const key = /\bask_\w+/.exec(created)?.[0] ?? '';
    const server = Child.start(process.execPath, [CLI, 'serve', '--port', '0', ...store], { cwd: project, env });
    const { port } = await listening(server);
    const list = async () => request(port, 'GET', '/v1/pets', { key });
    expect(await list()).to.include({ status: 200 });
    const others = 'FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()';
    const ended = await query(env.DATABASE_URL, `SELECT pg_terminate_backend(pid) ${others}`);
    expect(ended.length).to.be.greaterThan(0);
    await until(async () => (await list()).status === 200);
  });
});
