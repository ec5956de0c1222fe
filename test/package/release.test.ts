import { expect } from 'chai';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeTemporaryFolder } from '../support/temporary-folder.js';
import { ROOT, run, succeed, write } from './project.js';

interface RepositoryAddress {
  readonly addressOf: (remote: string) => string | undefined;
  readonly fillIn: (address: string, folder: string) => void;
}

const { addressOf, fillIn } = (await import(join(ROOT, 'scripts/repository-address.js'))) as RepositoryAddress;
const DOCUMENT = 'src/adapters/http/reference/openapi.ts';

/** A clone of main before the first release, as far as the script reads it before it runs the tests. */
function makeClone(): string {
  const clone = makeTemporaryFolder();
  cpSync(join(ROOT, 'scripts'), join(clone, 'scripts'), { recursive: true });
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as object;
  const unknown = { homepage: undefined, bugs: undefined, repository: undefined };
  write(clone, 'package.json', JSON.stringify({ ...manifest, ...unknown }));
  mkdirSync(dirname(join(clone, DOCUMENT)), { recursive: true });
  const document = readFileSync(join(ROOT, DOCUMENT), 'utf8');
  write(clone, DOCUMENT, document.replace(/ = \{ name: 'Animal Store', url: .*\};/, " = { name: 'Animal Store' };"));
  write(clone, 'CHANGELOG.md', '# Changelog\n\n## Unreleased\n\n- Something.\n');
  const git = (...args: readonly string[]) =>
    succeed(clone, 'git', ['-c', 'user.name=test', '-c', 'user.email=test@localhost', ...args]);
  git('init', '--quiet', '--initial-branch', 'main');
  git('add', '.');
  git('commit', '--quiet', '--message', 'Begin');
  return clone;
}

describe('a release', () => {
  it('is refused if no remote has an address at GitHub', () => {
    const clone = makeClone();
    succeed(clone, 'git', ['remote', 'add', 'origin', 'https://git.example/zoo/animal-store.git']);
    const { status, stderr } = run(clone, process.execPath, ['scripts/release.js', 'minor']);
    expect(status).to.equal(1);
    expect(stderr).to.match(/^release: the address of the repository is not known: add the remote origin/);
  });

  it('knows the address of a remote at GitHub, however it is written', () => {
    for (const remote of [
      'git@github.com:zoo/animal-store.git',
      'https://github.com/zoo/animal-store',
      'https://github.com/zoo/animal-store.git',
      'ssh://git@github.com/zoo/animal-store.git',
    ])
      expect(addressOf(remote)).to.equal('https://github.com/zoo/animal-store');
    for (const remote of ['', '/srv/animal-store.git', 'https://git.example/github.com/zoo/animal-store'])
      expect(addressOf(remote)).to.equal(undefined);
  });

  it('fills in the address in package.json and the OpenAPI document', () => {
    const clone = makeClone();
    const before = JSON.parse(readFileSync(join(clone, 'package.json'), 'utf8')) as object;
    fillIn('https://github.com/zoo/animal-store', clone);
    const bugs = 'https://github.com/zoo/animal-store/issues';
    expect(JSON.parse(readFileSync(join(clone, 'package.json'), 'utf8'))).to.deep.equal({
      ...before,
      homepage: 'https://github.com/zoo/animal-store#readme',
      bugs: { url: bugs },
      repository: { type: 'git', url: 'git+https://github.com/zoo/animal-store.git' },
    });
    expect(readFileSync(join(clone, DOCUMENT), 'utf8')).to.include(`= { name: 'Animal Store', url: '${bugs}' };`);
  });
});
