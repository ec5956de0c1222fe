import { expect } from 'chai';
import { rmSync } from 'node:fs';
import { outcomeOf, startCommand, type RunningCommand } from '../support/command.js';
import { request } from '../support/request.js';
import { newDatabaseFile, describeWithSqlite } from '../support/sqlite.js';

const KEY = 'a-key-of-more-than-16';
const REX = '{"name":"Rex","categoryId":7}';

describeWithSqlite('animal-store on an SQLite file', function () {
  this.timeout(180_000);

  async function start(file: string, ...flags: string[]): Promise<RunningCommand> {
    const args = ['--store', 'sqlite', '--sqlite-file', file, '--log-level', 'error', ...flags];
    return startCommand(args, { API_KEYS: `anna:${KEY}` });
  }

  it('has its keys made and revoked by the command while it runs', async () => {
    const file = newDatabaseFile();
    const keys = async (...args: string[]): Promise<string> => {
      const { code, stdout, stderr } = await outcomeOf(['keys', ...args, '--store', 'sqlite', '--sqlite-file', file]);
      expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
      return stdout;
    };
    const key = /\bask_\w{38}\b/.exec(await keys('create', '--name', 'anna'))?.[0];
    const service = await start(file);
    const statusWith = async () => (await request(service.port, 'GET', '/v1/pets', { key: key ?? '' })).status;
    expect(await statusWith()).to.equal(200);
    const [listed] = JSON.parse(await keys('list', '--json')) as { id: string }[];
    await keys('revoke', listed?.id ?? '');
    expect(await statusWith()).to.equal(401);
  });

  it('soon acknowledges nothing, is not ready and says why after the file was removed', async () => {
    const file = newDatabaseFile();
    const service = await start(file);
    rmSync(file);
    const statusOfCreation = async () =>
      (await request(service.port, 'POST', '/v1/pets', { key: KEY, body: REX })).status;
    // The service looks at its file once a second.
    while ((await statusOfCreation()) !== 500);
    while ((await request(service.port, 'GET', '/readyz')).status !== 503);
    expect(service.stderr).to.include(`the SQLite file ${file} was moved, removed or replaced while it was open`);
  });
});
