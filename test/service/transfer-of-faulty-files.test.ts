import { expect } from 'chai';
import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BATCH_MAX } from '../../src/domain/pet-catalogue.js';
import { Child, type ChildOptions } from '../support/child.js';
import { builtOrSource, type Outcome } from '../support/command.js';
import { describeWithSqlite, importSqlite } from '../support/sqlite.js';
import { skip } from '../support/skip.js';
import { makeTemporaryFolder } from '../support/temporary-folder.js';

/** How many animals the store has. Their export has about 1 MB. */
const COUNT = 20_000;

/** Limits the size of files to so many blocks of 512 bytes: a write beyond it fails, as on a full disk. */
const diskOf = (blocks: number): readonly string[] => ['sh', '-c', `ulimit -f ${blocks} && exec "$@"`, 'sh'];

const NEW_PET = '{"name":"Rex","categoryId":7}\n';
const LONG = 100 * 2 ** 20;

/** How a command is run: by which program, if by one, and on which database file. */
interface RunOptions extends ChildOptions {
  readonly by?: readonly string[];
  readonly db?: string;
}

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
    const catalogue = new SqlitePetCatalogue(database);
    for (let first = 1; first <= COUNT; first += BATCH_MAX) {
      const ids = Array.from({ length: BATCH_MAX }, (_, i) => BigInt(first + i));
      await catalogue.restore(ids.map((id) => ({ pet: { id, name: `pet ${id}`, categoryId: 7n } })));
    }
    await database.close();
  }

  /** Runs the command with a store in a file, started by another program if one is given. */
  async function run(
    args: readonly string[],
    { by = [], db = 'zoo.db', ...options }: RunOptions = {},
  ): Promise<Outcome> {
    const { loader, cli } = builtOrSource();
    const [program = '', ...words] = [...by, process.execPath, ...loader, cli, ...args];
    const env = { STORE: 'sqlite', SQLITE_FILE: path(db), ...options.env };
    const child = Child.start(program, words, { ...options, env });
    const { code } = await child.exited;
    return { code, stdout: child.stdout, stderr: child.stderr.replaceAll(folder, '…') };
  }

  /** What the command says when it fails. */
  async function failureOf(args: readonly string[], options?: RunOptions): Promise<string> {
    const { code, stdout, stderr } = await run(args, options);
    expect(code, stdout + stderr).to.equal(1);
    return stderr;
  }

  it('says that an export is incomplete if its reader leaves, as head does', async () => {
    await stock('zoo.db');
    const { stdout, stderr } = await run(['export'], {
      by: ['sh', '-c', '{ "$@"; echo "ended with $?" >&2; } | head -n 1', 'sh'],
    });
    expect(stdout).to.match(/^\{"format":"animal-store".*\n$/);
    expect(stderr).to.match(/^animal-store: the standard output cannot be written: .*EPIPE\nended with 1\n$/);
  });

  /** How many records a command has stored, and how many it has found. */
  async function countsOf(args: readonly string[], db: string, by: readonly string[] = []): Promise<number> {
    const { code, stdout, stderr } = await run(args, { db, by });
    expect(code, stderr).to.equal(0);
    const [, stored, present] = /^\w+ (\d+) animals.*; already there: (\d+) animals/.exec(stdout) ?? [];
    return Number(stored) + Number(present);
  }

  it('completes a restore whose disk was full, also from a pipe', async () => {
    await stock('zoo.db');
    const whole = file('zoo.ndjson', (await run(['export'])).stdout);
    expect(await failureOf(['restore', whole], { by: diskOf(400), db: 'new.db' })).to.match(/disk/);
    const pipe = ['sh', '-c', 'file=$1 && shift && cat "$file" | "$@"', 'sh', whole];
    expect(await countsOf(['restore', '-'], 'new.db', pipe)).to.equal(COUNT);
  });

  it('completes an import whose disk was full', async () => {
    const importing = ['import', file('new.ndjson', NEW_PET.repeat(COUNT))];
    expect(await failureOf(importing, { by: diskOf(2000), db: 'other.db' })).to.match(/disk/);
    expect(await countsOf(importing, 'other.db')).to.equal(COUNT);
  });

  it('refuses a line of 100 MB with the file and the line, in the memory of a short one', async () => {
    const env = { PEAK: path('peak'), NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(PEAK)}` };
    const peak = (): number => Number(readFileSync(path('peak'), 'utf8')) * 1024;
    const short = await run(['import', file('short.ndjson', NEW_PET), '--dry-run'], { env });
    expect(short.stdout).to.equal('1 animal can be imported\n');
    const least = peak();
    for (const [name, firstLine] of [
      ['long.ndjson', NEW_PET],
      ['long.csv', 'name,categoryId\n'],
    ] as const) {
      truncateSync(file(name, firstLine), LONG);
      const failure = await failureOf(['import', '--dry-run', path(name)], { env });
      expect(failure).to.equal(`animal-store: …/${name}: line 2: is longer than 1048576 bytes\n`);
      expect((peak() - least) / LONG, name).to.be.lessThan(0.6);
    }
  });

  it('needs no folder for temporary files but that of the database', async function () {
    if (builtOrSource().loader.length > 0)
      skip(this, 'runs on the built command: the loader of TypeScript needs such a folder');
    const env = { TMPDIR: '/proc/nowhere', SQLITE_TMPDIR: '/proc/nowhere' };
    const { code, stderr } = await run(['import', file('a.ndjson', NEW_PET.repeat(COUNT))], { env });
    expect(code, stderr).to.equal(0);
  });

  it('creates nothing by a command that reads, and says what is missing', async () => {
    for (const args of [['export'], ['keys', 'list'], ['keys', 'revoke', 'some-id']]) {
      expect(await failureOf(args, { db: 'mistyped.db' })).to.match(/^animal-store: .*mistyped\.db.*\n$/);
    }
    expect(readdirSync(folder)).to.deep.equal([]);
  });
});
