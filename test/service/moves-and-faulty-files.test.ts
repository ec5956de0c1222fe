import { expect } from 'chai';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Pet } from '../../src/domain/pet.js';
import { Child, type ChildOptions } from '../support/child.js';
import { builtOrSource, type Outcome } from '../support/command.js';
import { skip } from '../support/skip.js';
import { describeWithSqlite, importSqlite } from '../support/sqlite.js';
import { makeTemporaryFolder } from '../support/temporary-folder.js';

/** How many animals the store has. Their export has about 1 MB. */
const COUNT = 20_000;

/** Limits the size of files to so many blocks of 512 bytes: a write beyond it fails, as on a full disk. */
const diskOf = (blocks: number): readonly string[] => ['sh', '-c', `ulimit -f ${blocks} && exec "$@"`, 'sh'];

/** Takes from root the right to read any file. */
const WITHOUT_RIGHTS = ['setpriv', '--bounding-set=-dac_override,-dac_read_search'];

const NEW_PET = '{"name":"Rex","categoryId":7}\n';
const LONG = 100 * 2 ** 20;

/** Writes the most memory that a process has held to the file PEAK, in KiB, when it ends. */
const PEAK = `import { writeFileSync } from 'node:fs';
  process.on('exit', () => writeFileSync(process.env.PEAK, String(process.resourceUsage().maxRSS)));`;

describeWithSqlite('animal-store import, export and restore with files and disks that fail', function () {
  this.timeout(300_000);
  let folder: string;
  const path = (name: string): string => join(folder, name);

  beforeEach(() => {
    folder = makeTemporaryFolder();
  });

  const file = (name: string, content: string | Uint8Array): string => {
    writeFileSync(path(name), content);
    return path(name);
  };

  /** Stores animals in a new file. */
  async function stock(name: string): Promise<void> {
    const { openSqliteDatabase, SqlitePetCatalogue } = await importSqlite();
    const database = await openSqliteDatabase(path(name));
    const pets = Array.from({ length: COUNT }, (_, i): Pet => ({
      id: BigInt(i + 1),
      name: `pet ${i}`,
      categoryId: 7n,
    }));
    await new SqlitePetCatalogue(database).restore(pets);
    await database.close();
  }

  /** Runs the command with a store in a file, started by another program if one is given. */
  async function run(
    args: readonly string[],
    {
      by = [],
      db = 'zoo.db',
      ...options
    }: ChildOptions & { readonly by?: readonly string[]; readonly db?: string } = {},
  ): Promise<Outcome> {
    const { loader, cli } = builtOrSource();
    const [program = '', ...words] = [...by, process.execPath, '--no-warnings', ...loader, cli, ...args];
    const env = { STORE: 'sqlite', SQLITE_FILE: path(db), ...options.env };
    const child = Child.start(program, words, { ...options, env });
    const { code } = await child.exited;
    return { code, stdout: child.stdout, stderr: child.stderr.replaceAll(folder, '…') };
  }

  it('says that an export is incomplete if the disk of the standard output is full', async () => {
    await stock('zoo.db');
    const full = openSync('/dev/full', 'w');
    const { code, stderr } = await run(['export'], { stdout: full });
    closeSync(full);
    expect(code).to.equal(1);
    expect(stderr).to.equal(
      'animal-store: the standard output could not be written to its end\n  the output is incomplete\n  cause: ENOSPC: no space left on device, write\n',
    );
  });

  it('says that an export is incomplete if its reader leaves, as head does', async () => {
    await stock('zoo.db');
    const { stdout, stderr } = await run(['export'], {
      by: ['sh', '-c', '{ "$@"; echo "ended with $?" >&2; } | head -n 1', 'sh'],
    });
    expect(stdout).to.match(/^\{"format":"animal-store".*\n$/);
    expect(stderr).to.match(/could not be written to its end\n {2}the output is incomplete\n.*EPIPE\nended with 1\n$/);
  });

  it('leaves no part of an export behind if the disk is full, and the file that was there', async () => {
    await stock('zoo.db');
    const before = readdirSync(folder);
    const output = file('zoo.ndjson', 'before');
    const { code, stderr } = await run(['export', `--output=${output}`], { by: diskOf(400) });
    expect(code).to.equal(1);
    expect(stderr).to.match(/^animal-store: …\/zoo\.ndjson cannot be written\n {2}cause: EFBIG/);
    expect(readFileSync(output, 'utf8')).to.equal('before');
    expect(readdirSync(folder).filter((name) => !name.startsWith('zoo.db'))).to.deep.equal(['zoo.ndjson']);
    expect(before).to.include('zoo.db');
  });

  it('says how much a restore and an import have stored if the disk is full, and completes both later', async () => {
    await stock('zoo.db');
    expect((await run(['export', `--output=${path('zoo.ndjson')}`])).code).to.equal(0);
    const restore = ['restore', path('zoo.ndjson')];
    const failed = await run(restore, { by: diskOf(400), db: 'new.db' });
    expect(failed.code).to.equal(1);
    expect(failed.stderr).to.match(
      /^animal-store: the SQLite file .*\n {2}stored so far: at least \d+000 records; once/,
    );
    const { code, stdout } = await run(restore, { db: 'new.db' });
    expect(code).to.equal(0);
    const [, restored, present] = /^restored (\d+) animals,[^\n]*\nalready there: (\d+) animals,/.exec(stdout) ?? [];
    expect(Number(restored) + Number(present), stdout).to.equal(COUNT);

    const importing = ['import', file('new.ndjson', NEW_PET.repeat(COUNT))];
    const stopped = await run(importing, { by: diskOf(2000), db: 'other.db' });
    expect(stopped.code).to.equal(1);
    expect(stopped.stderr).to.match(
      /\n {2}stored so far: at least \d+000 animals; run the same command again to continue/,
    );
    const completed = await run(importing, { db: 'other.db' });
    const [, added, known] =
      /^imported (\d+) animals [^\n]*\nalready there: (\d+) animals\n/.exec(completed.stdout) ?? [];
    expect(Number(added) + Number(known), completed.stdout).to.equal(COUNT);
  });

  it('refuses a line of 100 MB and an endless one, with the file and the line, in the memory of a short one', async () => {
    const env = { PEAK: path('peak'), NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(PEAK)}` };
    const peak = (): number => Number(readFileSync(path('peak'), 'utf8')) * 1024;
    const firstLines = {
      'long.ndjson': NEW_PET,
      'long.csv': 'name,categoryId\n',
      'long.export': '{"format":"animal-store","version":1}\n',
    };
    for (const [name, line] of Object.entries(firstLines)) truncateSync(file(name, line), LONG);
    const short = await run(['import', file('short.ndjson', NEW_PET), '--dry-run'], { env });
    expect(short.stdout).to.equal('1 animal can be imported\n');
    const least = peak();
    const refused: readonly (readonly [args: readonly string[], name: string, line: number])[] = [
      [['import', path('long.ndjson'), '--dry-run'], '…/long.ndjson', 2],
      [['import', path('long.csv'), '--dry-run'], '…/long.csv', 2],
      [['restore', path('long.export')], '…/long.export', 2],
      [['restore', '/dev/zero'], '/dev/zero', 1],
    ];
    for (const [args, name, line] of refused) {
      const { code, stderr } = await run(args, { env });
      expect({ code, stderr }).to.deep.equal({
        code: 1,
        stderr: `animal-store: ${name}: line ${line}: is longer than 1048576 bytes\n`,
      });
      expect((peak() - least) / LONG, args.join(' ')).to.be.lessThan(0.6);
    }
  });

  it('refuses what is not UTF-8, a folder, a named pipe and a device, with the name and the line', async () => {
    const invalid = file('a.ndjson', Buffer.from(`${NEW_PET}${NEW_PET.replace('Rex', 'R\xffx')}`, 'latin1'));
    mkdirSync(path('b.csv'));
    execFileSync('mkfifo', [path('c.csv')]);
    const refused: readonly (readonly [args: readonly string[], message: RegExp])[] = [
      [['import', invalid], /^animal-store: …\/a\.ndjson: line 2: is not UTF-8\n/],
      [['import', path('b.csv')], /^animal-store: …\/b\.csv cannot be read: it is a folder\n$/],
      [['import', path('c.csv')], /^animal-store: …\/c\.csv cannot be read twice, because it is not a regular file/],
      [['import', '/dev/zero', '--format=csv'], /^animal-store: \/dev\/zero cannot be read twice/],
    ];
    for (const [args, message] of refused) {
      const { code, stderr } = await run(args);
      expect(code).to.equal(1);
      expect(stderr).to.match(message);
    }
  });

  it('refuses a file that it may not read, and a folder that it may not write in', async function () {
    const isRoot = process.getuid?.() === 0;
    const by = isRoot ? WITHOUT_RIGHTS : [];
    const [program, ...words] = [...by, 'true'];
    if (spawnSync(program, words).status !== 0)
      skip(this, 'root may read any file, and setpriv cannot take that right');
    chmodSync(file('a.ndjson', NEW_PET), 0);
    mkdirSync(path('shut'), { mode: 0o500 });
    for (const command of ['import', 'restore']) {
      const { code, stderr } = await run([command, path('a.ndjson')], { by });
      expect(code).to.equal(1);
      expect(stderr).to.match(/^animal-store: …\/a\.ndjson cannot be read\n {2}cause: EACCES: permission denied/);
    }
    const { code, stderr } = await run(['export', `--output=${path('shut/zoo.ndjson')}`], { by });
    expect(code).to.equal(1);
    expect(stderr).to.match(/^animal-store: …\/shut\/zoo\.ndjson cannot be written\n {2}cause: EACCES/);
  });
});
