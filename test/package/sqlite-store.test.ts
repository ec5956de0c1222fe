import { expect } from 'chai';
import { join } from 'node:path';
import { declareHttpSuite } from '../http/http-suite.js';
import { serviceOf } from '../http/service.js';
import { verifyKills } from '../service/kills.js';
import { outcomeOf, startCommand, type RunningCommand } from '../support/command.js';
import { installPackages } from '../support/install-packages.js';
import { makeTemporaryFolder } from '../support/temporary-folder.js';
import { CHECK_JSDOC, DEPENDENCIES, linkFrom, makeProjectOf, ROOT, run, succeed, write } from './project.js';

const EXAMPLE = 'examples/sqlite-store';
const KEY = 'a-key-of-more-than-16';

describe('the example sqlite-store', function () {
  this.timeout(900_000);
  let project: string;

  before(() => {
    installPackages(join(ROOT, EXAMPLE));
    project = makeProjectOf(EXAMPLE, [...DEPENDENCIES, '@types/node']);
    linkFrom(EXAMPLE, project, ['better-sqlite3', '@types/better-sqlite3', 'inversify']);
  });

  const newFile = (): string => join(makeTemporaryFolder(), 'animals.db');

  async function start(file: string, env: Readonly<Record<string, string>> = {}): Promise<RunningCommand> {
    const flags = ['--store', join(project, 'sqlite-module.js'), '--log-level', 'warn'];
    return startCommand(flags, { SQLITE_FILE: file, ...env });
  }

  it('passes its tests, the three contract suites among them', () => {
    const tap = succeed(project, process.execPath, ['--test', '--test-reporter=tap']);
    expect(Number(/^# pass (\d+)$/m.exec(tap)?.[1])).to.be.greaterThan(90);
    expect(tap).to.match(/^# fail 0$/m);
  });

  it('is well typed, by its JSDoc', () => {
    write(project, 'tsconfig.json', JSON.stringify({ compilerOptions: CHECK_JSDOC, include: ['*.js'] }));
    expect(run(project, process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc')]).stdout).to.equal('');
  });

  it('has its keys made and revoked by the command', async () => {
    const env = { SQLITE_FILE: newFile() };
    const keys = async (...args: string[]): Promise<string> => {
      const { code, stdout, stderr } = await outcomeOf(
        ['keys', ...args, '--store', join(project, 'sqlite-module.js')],
        env,
      );
      expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
      return stdout;
    };
    expect(await keys('create', '--name', 'anna')).to.match(/\bask_\w{38}\b/);
    const [listed] = JSON.parse(await keys('list', '--json')) as { id: string; name: string }[];
    expect(listed?.name).to.equal('anna');
    await keys('revoke', listed?.id ?? '');
    expect(await keys('list', '--json')).to.include('"revokedAt"');
  });

  it('loses no acknowledged animal and gives no id twice, however often the command is killed under load', async () => {
    const file = newFile();
    await verifyKills(async () => start(file, { API_KEYS: `anna:${KEY}` }), KEY);
  });

  declareHttpSuite('HTTP with the SQLite store', async () =>
    serviceOf(await start(newFile(), { API_KEYS: `tests:${KEY}` }), KEY, false),
  );
});
