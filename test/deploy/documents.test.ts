import { expect } from 'chai';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { HEADERS_MAX_BYTES } from '../../src/adapters/http/limits.js';
import { LIST_LIMIT, NAME_MAX_LENGTH } from '../../src/index.js';
import { ROOT } from '../support/child.js';
import { FLAGS, VARIABLES } from './known-settings.js';

/** The text of a section of a document, without those of a higher or the same level after it. */
function section(document: string, heading: string): string {
  const parts = readFileSync(join(ROOT, document), 'utf8').split(/^(?=#{1,2} )/m);
  const found = parts.find((part) => part.startsWith(`## ${heading}\n`));
  if (found === undefined) throw new Error(`${document} has no section ${heading}`);
  return found;
}

/** The anchors of the headings of a document, as GitHub makes them. */
function anchorsOf(text: string): readonly string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );
}

/** The cells of the first table of a section, row by row, without its heading. */
function table(text: string): readonly (readonly string[])[] {
  const rows = /^\|.*(?:\n\|.*)*/m.exec(text)?.[0].split('\n').slice(2) ?? [];
  return rows.map((row) =>
    row
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** The value of a cell without back ticks. */
function plain(cell = ''): string {
  return cell.replaceAll('`', '');
}

const WHERE_SETTINGS_GO = 'a setting goes into the table "The command" of docs/operating.md';
const SETTINGS = table(section('docs/operating.md', 'The command'));
const LIMITS = new Map(
  table(section('docs/security.md', 'Limits')).map(([name, value]) => [plain(name), plain(value)]),
);

/** The number at the start of a text, in its base unit: bytes or milliseconds. */
function numberOf(text: string): number {
  const [, digits = '', unit = ''] = /^([\d,]+) ?(KiB|MiB|s\b)?/.exec(text) ?? [];
  return Number(digits.replaceAll(',', '')) * ({ KiB: 1024, MiB: 2 ** 20, s: 1000 }[unit] ?? 1);
}

/** The number that a constant or an option has in a source, written as a literal. */
function numberIn(file: string, pattern: RegExp): number {
  const literal = pattern.exec(readFileSync(join(ROOT, 'src', file), 'utf8'))?.[1];
  if (literal === undefined) throw new Error(`src/${file} has nothing like ${pattern.source}`);
  return Number(literal.replaceAll('_', ''));
}

function defaultOption(name: string): number {
  return numberIn('adapters/http/server/http-server.ts', new RegExp(`\\b${name}(?: =|:) ([\\d_]+)`));
}

describe('the documents on operating', () => {
  it('list every flag of the command, and no other', () => {
    const documented = SETTINGS.map(([flag]) => plain(flag)).filter((flag) => flag !== '');
    expect(documented, WHERE_SETTINGS_GO).to.have.members([...FLAGS]);
  });

  it('list every variable of the command with its default, and no other', () => {
    const documented = SETTINGS.filter(([, variable]) => variable !== '').map(([, variable, fallback]) => [
      plain(variable),
      // The default of the base URL depends on the address.
      plain(variable) === 'BASE_URL' ? '' : plain(fallback),
    ]);
    expect(documented, WHERE_SETTINGS_GO).to.have.deep.members([...VARIABLES]);
  });

  it('give the default of each limit that has a flag', () => {
    for (const [name, value] of LIMITS) {
      if (!name.startsWith('--')) continue;
      const fallback = VARIABLES.get(name.slice(2).toUpperCase().replaceAll('-', '_')) ?? 'missing';
      if (value === 'none') expect(fallback, name).to.equal('');
      else expect(numberOf(value), name).to.equal(numberOf(fallback));
    }
  });

  for (const name of ['headersTimeout', 'requestTimeout', 'idleTimeout', 'keepAliveTimeout']) {
    it(`give the default of ${name}`, () => {
      expect(numberOf(LIMITS.get(name) ?? '')).to.equal(defaultOption(name));
    });
  }

  for (const [name, value] of [
    ['levels of nesting in a JSON body', numberIn('json/parse-json.ts', /MAX_DEPTH = ([\d_]+)/)],
    ['animals in a list', LIST_LIMIT.maximum],
    ['name of an animal', NAME_MAX_LENGTH],
    ['header section', HEADERS_MAX_BYTES],
    ['log lines that wait', numberIn('bootstrap/log/log-output.ts', /maxWaiting = ([\d_]+) \* 2 \*\* 20/) * 2 ** 20],
    ['requests that wait behind others', numberIn('adapters/http/server/http-server.ts', /PIPELINED_MAX = ([\d_]+)/)],
    [
      'connections that are being refused',
      numberIn('adapters/http/server/http-server.ts', /REFUSED_AT_ONCE = ([\d_]+)/),
    ],
    [
      'concurrent look-ups of keys in MongoDB',
      numberIn('adapters/mongodb/api-keys/mongo-api-keys.ts', /maxLookUps = ([\d_]+)/),
    ],
    ['remembered keys of MongoDB', numberIn('adapters/mongodb/api-keys/mongo-api-keys.ts', /maxKeys = ([\d_]+)/)],
  ] as const) {
    it(`give the right limit: ${name}`, () => {
      expect(numberOf(LIMITS.get(name) ?? '')).to.equal(value);
    });
  }

  it('list no limit that these tests do not compare, except the order of requests', () => {
    const compared =
      /^--|Timeout$|^levels|^animals|^name|^header|^log lines|^requests (?:of one connection|that wait behind others)$|^connections that are being refused$|^concurrent look-ups of keys in MongoDB$|^remembered keys of MongoDB$/;
    expect([...LIMITS.keys()].filter((name) => !compared.test(name))).to.deep.equal([]);
  });

  it('name existing test files', () => {
    const files = section('docs/security.md', 'How this is tested').match(/test\/[\w/.-]+\.test\.ts/g) ?? [];
    expect(files).not.to.have.lengthOf(0);
    expect(files.filter((file) => !existsSync(join(ROOT, file)))).to.deep.equal([]);
  });

  for (const document of ['deploy/README.md', 'docs/operating.md', 'docs/security.md', 'SECURITY.md']) {
    it(`link only to existing files and headings: ${document}`, () => {
      const text = readFileSync(join(ROOT, document), 'utf8');
      const links = [...text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)];
      const broken = links.filter(([, path = '', anchor]) => {
        const target = path === '' ? join(ROOT, document) : join(ROOT, document, '..', path);
        if (!existsSync(target)) return true;
        return anchor !== undefined && !anchorsOf(readFileSync(target, 'utf8')).includes(anchor);
      });
      expect(broken.map(([link]) => link)).to.deep.equal([]);
    });
  }
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

  it('run the command itself, as npx and npm pass no signals on', () => {
    const folder = join(ROOT, 'deploy');
    for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (statSync(join(folder, path)).isDirectory()) continue;
      expect(readFileSync(join(folder, path), 'utf8'), path).not.to.match(/\bnpx\b|\bnpm start\b/);
    }
  });
});
