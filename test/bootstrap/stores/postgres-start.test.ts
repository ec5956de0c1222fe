import { expect } from 'chai';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { outcomeOf } from '../../support/command.js';
import { usePostgres } from '../../support/postgres.js';
import { makeTemporaryFolder } from '../../support/temporary-folder.js';
import { verifyComplaint, verifyRefusedUrls } from './complaints.js';

describe('animal-store on a PostgreSQL server', () => {
  const postgres = usePostgres();
  const envOf = (POSTGRES_URL: string) => ({ POSTGRES_URL, POSTGRES_DEADLINE: '1s' });

  it('that does not answer ends with 1 and one line', async () => {
    await verifyComplaint(
      'postgres',
      envOf('postgres://anna:S3cret@127.0.0.1:1,127.0.0.1:2/zoo'),
      /^animal-store: .*127\.0\.0\.1:1 \(connect ECONNREFUSED [\d.:]+\), 127\.0\.0\.1:2 \(/,
    );
  });

  it('that refuses ends with 1 and one line', async () => {
    const url = new URL(await postgres.createUrl());
    url.username = 'animal-store-nobody';
    url.password = 'S3cret';
    const complaint = /^animal-store: PostgreSQL at \S+: .*"?animal-store-nobody"?/;
    await verifyComplaint('postgres', envOf(url.href), complaint);
  });

  it('whose URL is malformed is refused before anything is opened, without the secret', async () => {
    await verifyRefusedUrls('postgres', 'POSTGRES_URL', [
      'mongodb://anna:S3cret@db/zoo',
      'postgres://anna:S3cret@db:99999/zoo',
    ]);
  });

  it('keeps keys and animals, exports and restores them, with the URL in a file, and names the store by that alone', async () => {
    const folder = makeTemporaryFolder();
    const files = await Promise.all(
      ['old', 'new'].map(async (name) => {
        const file = join(folder, name);
        writeFileSync(file, `${await postgres.createUrl()}\n`);
        return file;
      }),
    );
    const [old, moved] = files.map((POSTGRES_URL_FILE) => ({ POSTGRES_URL_FILE })) as [
      { POSTGRES_URL_FILE: string },
      { POSTGRES_URL_FILE: string },
    ];
    const run = async (args: readonly string[], env: { POSTGRES_URL_FILE: string }): Promise<string> => {
      const { code, stdout, stderr } = await outcomeOf(args, env);
      expect({ code, stderr: code === 0 ? '' : stderr }).to.deep.equal({ code: 0, stderr: '' });
      return stdout;
    };
    const [animals, exported] = [join(folder, 'a.ndjson'), join(folder, 'zoo.ndjson')];
    writeFileSync(animals, '{"name":"Rex","categoryId":7}\n{"name":"Tom","categoryId":7}\n');
    expect((await outcomeOf(['export'], old)).stderr).to.contain('the database has no tables of Animal Store');
    await run(['keys', 'create', '--name', 'anna'], old);
    await run(['import', animals], old);
    writeFileSync(exported, await run(['export'], old));
    await run(['restore', exported], moved);
    expect(await run(['import', animals], moved)).to.contain('already there: 2 animals\n');
    expect(JSON.parse(await run(['keys', 'list', '--json'], moved))).to.have.lengthOf(1);
  });
});
