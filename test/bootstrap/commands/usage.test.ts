import { expect } from 'chai';
import { readFile } from 'node:fs/promises';
import type { Environment } from '../../support/child.js';
import { outcomeOf } from '../../support/command.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { linesOf, printedBy, refusalOf, runHere } from '../outcome.js';

const MANIFEST = new URL('../../../package.json', import.meta.url);
const SECRET = 'S3cretS3cretS3cret';

describe('animal-store', () => {
  it('alone prints the help on the standard output, and ends with 0', async () => {
    const { code, stdout, stderr } = await outcomeOf([]);
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
    expect(stdout).to.equal(await printedBy(['help']));
    for (const part of ['Usage:', 'Examples:', 'Exit codes:', 'API_KEYS_FILE']) expect(stdout).to.include(part);
  });

  for (const [words, others] of [
    ['help', ['--help', '-h', 'help help']],
    ['help serve', ['serve --help', 'serve -h']],
    ['help keys create', ['keys create --help']],
    ['help keys', ['keys', 'keys --help']],
  ] as const) {
    it(`prints the same for ${[words, ...others].join(', ')}`, async () => {
      const help = await printedBy(words.split(' '));
      for (const other of others) expect(await printedBy(other.split(' ')), other).to.equal(help);
    });
  }

  it('shows the variable, the default and the secrets of each command in its help', async () => {
    const help = (await printedBy(['help', 'serve'])).replaceAll(/\s+/g, ' ');
    expect(help)
      .to.include('--body-limit <bytes> the largest request body')
      .and.to.include('(default: 65536, env: BODY_LIMIT)');
    for (const secret of ['API_KEYS', 'MONGODB_URL', 'POSTGRES_URL', 'API_KEY']) {
      expect(help).to.include(`${secret}, ${secret}_FILE`);
    }
  });

  it('says of the host and the port of health that they are those of the service that it asks', async () => {
    const help = (await printedBy(['help', 'health'])).replaceAll(/\s+/g, ' ');
    expect(help)
      .to.include('--host <address> the host of the service (default: "127.0.0.1", env: HOST)')
      .and.to.include('--port <n> the port of the service (default: 3000, env: PORT)');
  });

  it('prints its version for version, --version and -v', async () => {
    const { version } = JSON.parse(await readFile(MANIFEST, 'utf8')) as { version: string };
    for (const word of ['version', '--version', '-v']) expect(await printedBy([word])).to.equal(`${version}\n`);
  });

  for (const [given, message] of Object.entries({
    sevre: "unknown command 'sevre' (Did you mean serve?)",
    'keys lst': "unknown command 'lst' (Did you mean list?)",
    'help sevre': "unknown command 'sevre' (Did you mean serve?)",
    'sevre --help': "unknown command 'sevre' (Did you mean serve?)",
    'help keys lst': "unknown command 'lst' (Did you mean list?)",
    'keys help lst': "unknown command 'lst' (Did you mean list?)",
    'serve --prot=1': "unknown option '--prot' (Did you mean --port?)",
    'serve -x': "unknown option '-x'",
    'serve extra': "too many arguments for 'serve'. Expected 0 arguments but got 1.",
    'serve --port': "option '--port <n>' argument missing",
    'serve --host --port 1': "option '--host <address>' argument '--port' is invalid. It is missing: a flag follows.",
    'keys create': "required option '--name <name>' not specified",
    'keys revoke': "missing required argument 'id'",
    'import a.txt --dry-run': 'the name of a.txt does not show its format: add --format ndjson or --format csv',
    'import a.csv --url https://animals.example/v1': 'API_KEY is required with --url',
    'import - --format csv': 'import reads its file twice: it needs a file, not the standard input',
    'export --store memory': '--store memory begins empty, and ends with the command: use sqlite, mongodb or postgres',
    'keys list': '--store, --sqlite-file, MONGODB_URL or POSTGRES_URL must name the store',
    'restore - --store mongodb': 'MONGODB_URL is required with the store mongodb',
    'restore - --store postgres': 'POSTGRES_URL is required with the store postgres',
  })) {
    it(`refuses ${given}`, async () => {
      expect(await refusalOf(given.split(' '))).to.equal(message);
    });
  }

  it('uses the store that MONGODB_URL or a file of SQLite implies, of which a flag wins', async () => {
    const failure = async (args: readonly string[], env: Environment): Promise<string> =>
      String(await rejectionOf(runHere(['keys', 'list', ...args], env)));
    const MONGODB_URL = 'mongodb:/';
    expect(await failure([], { MONGODB_URL, SQLITE_FILE: 'none.db' })).to.include('MONGODB_URL is invalid');
    const sqlite = /the SQLite file none\.db does not exist|animal-store\/sqlite needs Node/;
    expect(await failure([], { SQLITE_FILE: 'none.db' })).to.match(sqlite);
    expect(await failure(['--sqlite-file=none.db'], { MONGODB_URL, STORE: 'mongodb' })).to.match(sqlite);
  });

  it('ends with 2 and one line for an invalid command line, without control characters', async () => {
    const { code, stdout, stderr } = await outcomeOf(['serve', '--host=a\x1b[2J\x9b']);
    expect({ code, stdout }).to.deep.equal({ code: 2, stdout: '' });
    expect(linesOf(stderr)).to.have.lengthOf(1);
    expect(stderr.trimEnd())
      .to.match(/^animal-store: option '--host <address>' /)
      .and.to.not.match(/\p{Cc}/u);
  });

  it('repeats no secret that somebody typed as a flag or a word', async () => {
    const commands = [
      ['serve', `--api-keys=anna:${SECRET}`],
      ['serve', '--mongodb-url', `mongodb://anna:${SECRET}@db/zoo`],
      ['serve', `mongodb://anna:${SECRET}@db/zoo`],
      [`mongodb://anna:${SECRET}@db/zoo`],
      ['keys', `MONGODB_URL=mongodb://anna:${SECRET}@db/zoo`],
    ];
    for (const args of commands) expect(await refusalOf(args)).to.not.include('S3cret');
  });
});
