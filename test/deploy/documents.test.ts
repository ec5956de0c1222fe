import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { maxHeaderSize } from 'node:http';
import { join } from 'node:path';
import { DEFAULT_TIMEOUTS, UNSENT_MAX_BYTES } from '../../src/adapters/http/pipeline/limits.js';
import { MAX_KEYS, MAX_LOOK_UPS } from '../../src/adapters/kit/remembered-api-keys.js';
import { WAITING_MAX } from '../../src/bootstrap/log/log.js';
import { SERVER_DEFAULTS } from '../../src/bootstrap/settings/settings.js';
import { LIST_LIMIT, NAME_MAX_LENGTH } from '../../src/index.js';
import { MAX_DEPTH } from '../../src/lossless-json/parse-json.js';
import { ROOT } from '../support/child.js';
import { makeTemporaryFolder } from '../support/temporary-folder.js';
import { deployFile, SETTINGS } from './known-settings.js';

/** The text of a section of a document, without those of a higher or the same level after it. */
function section(document: string, heading: string): string {
  const parts = readFileSync(join(ROOT, document), 'utf8').split(/^(?=#{1,2} )/m);
  const found = parts.find((part) => part.startsWith(`## ${heading}\n`));
  if (found === undefined) throw new Error(`${document} has no section ${heading}`);
  return found;
}

/** The beginning of a row of a table, with these cells. */
function rowOf(...cells: readonly string[]): string {
  return `\n|${cells.map((cell) => (cell === '' ? ' |' : ` ${cell} |`)).join('')}`;
}

/** How many rows the first table of a section has, without its heading. */
function rowsIn(text: string): number {
  return (/^\|.*(?:\n\|.*)*/m.exec(text)?.[0].split('\n').length ?? 0) - 2;
}

const code = (text: string): string => (text === '' ? '' : `\`${text}\``);
const count = (number: number): string => number.toLocaleString('en');
const time = (ms: number): string => `${ms / 1000} s`;
const size = (bytes: number): string => (bytes % 2 ** 20 === 0 ? `${bytes / 2 ** 20} MiB` : `${bytes / 2 ** 10} KiB`);

/** Every limit of docs/security.md, as the code has it. */
const LIMITS: Readonly<Record<string, string>> = {
  '`--body-limit`': size(SERVER_DEFAULTS.bodyLimit),
  'levels of nesting in a JSON body': count(MAX_DEPTH),
  'animals in a list': count(LIST_LIMIT.maximum),
  'name of an animal': `${count(NAME_MAX_LENGTH)} code points`,
  '`--max-connections`': count(SERVER_DEFAULTS.maxConnections),
  '`--max-in-flight`': count(SERVER_DEFAULTS.maxInFlight),
  'unread responses': size(UNSENT_MAX_BYTES),
  '`--rate-limit`': SERVER_DEFAULTS.rateLimit === undefined ? 'none' : 'some',
  'header section': size(maxHeaderSize),
  '`headersTimeout`': time(DEFAULT_TIMEOUTS.headersTimeout),
  '`requestTimeout`': time(DEFAULT_TIMEOUTS.requestTimeout),
  '`idleTimeout`': time(DEFAULT_TIMEOUTS.idleTimeout),
  '`keepAliveTimeout`': time(DEFAULT_TIMEOUTS.keepAliveTimeout),
  'requests of one connection': 'one runs, one waits',
  'concurrent look-ups of keys in a database': count(MAX_LOOK_UPS),
  'remembered keys of a database': count(MAX_KEYS),
  '`--mongodb-deadline`': time(SERVER_DEFAULTS.mongodbDeadline),
  '`--postgres-deadline`': time(SERVER_DEFAULTS.postgresDeadline),
  '`--shutdown-timeout`': time(SERVER_DEFAULTS.shutdownTimeout),
  'log lines that wait': size(WAITING_MAX),
};

describe('the documents on operating', () => {
  const settings = section('docs/operating.md', 'The command');
  const limits = section('docs/security.md', 'Limits');

  it('give the flag, the variable and the default of each setting', () => {
    for (const { flag, variable, fallback } of SETTINGS) {
      // The default of the base URL depends on the address.
      const shown = flag === '--base-url' ? 'http://<host>:<port>/v1' : fallback;
      const row = rowOf(code(flag), code(variable), code(shown));
      expect(settings, 'a setting goes into the table "The command" of docs/operating.md').to.include(row);
    }
  });

  it('give each limit', () => {
    for (const [name, value] of Object.entries(LIMITS)) {
      expect(limits, 'a limit goes into the table "Limits" of docs/security.md').to.include(rowOf(name, value));
    }
  });

  it('list no other setting and no other limit', () => {
    expect([rowsIn(settings), rowsIn(limits)]).to.deep.equal([SETTINGS.length, Object.keys(LIMITS).length]);
  });

  it('come with the dashboard for Grafana that scripts/write-dashboard.js writes', () => {
    const file = join(makeTemporaryFolder(), 'dashboard.json');
    execFileSync(process.execPath, ['scripts/write-dashboard.js', file]);
    const place = 'run node scripts/write-dashboard.js';
    expect(readFileSync(file, 'utf8'), place).to.equal(deployFile('grafana/animal-store.json'));
  });

  it('name existing test files', () => {
    const files = section('docs/development.md', 'What the tests need').match(/test\/[\w/.-]+\.test\.ts/g) ?? [];
    expect(files).not.to.have.lengthOf(0);
    expect(files.filter((file) => !existsSync(join(ROOT, file)))).to.deep.equal([]);
  });
});

describe('the files of deploy', () => {
  it('have a row in its README', () => {
    const readme = readFileSync(join(ROOT, 'deploy/README.md'), 'utf8');
    for (const name of readdirSync(join(ROOT, 'deploy'))) {
      if (name === 'README.md' || name === 'Dockerfile.dockerignore') continue;
      const isFolder = statSync(join(ROOT, 'deploy', name)).isDirectory();
      const place = 'a file or folder goes into the table of deploy/README.md';
      expect(readme, place).to.include(`\n| [${name}${isFolder ? '/' : ''}](`);
    }
  });
});
