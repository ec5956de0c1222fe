import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, symlinkSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { ROOT } from '../support/child.js';
import { CLI_VARIABLE } from '../support/command.js';
import { HAS_SQLITE } from '../support/sqlite.js';
import { endWithFile } from '../support/cleanup.js';
import { TARBALL_VARIABLE } from '../support/tarball.js';
import { makeTemporaryFolder } from '../support/temporary-folder.js';
import { makeCompiler, type Compiler } from './compiler.js';
import { apply, recipeOf, undo } from './recipe.js';

/** How many places outside tests and documents a new member of an animal may take. */
const MOST_PLACES = 12;

/** The Node that has `node:sqlite`, as a path for programs. */
async function pathWithSqlite(): Promise<string> {
  const { PATH = '' } = process.env;
  if (HAS_SQLITE) return [dirname(process.execPath), PATH].join(delimiter);
  const { folderOfNode } = (await import(join(ROOT, 'scripts/node-program.js'))) as {
    readonly folderOfNode: (major: string) => string;
  };
  return [folderOfNode('22'), PATH].join(delimiter);
}

describe('a recipe of CONTRIBUTING.md', function () {
  this.timeout(600_000);
  let path: string;

  before(async () => {
    path = await pathWithSqlite();
  });

  /** Runs a command in a folder. Returns its output, and whether it succeeded. */
  function run(
    folder: string,
    command: string,
    ...args: readonly string[]
  ): readonly [succeeded: boolean, output: string] {
    // The copy has a command and a package of its own.
    const env = { ...process.env, PATH: path, [CLI_VARIABLE]: undefined, [TARBALL_VARIABLE]: undefined };
    const { status, stdout, stderr } = spawnSync(command, args, { cwd: folder, encoding: 'utf8', env });
    return [status === 0, stdout + stderr];
  }

  function succeed(folder: string, command: string, ...args: readonly string[]): string {
    const [succeeded, output] = run(folder, command, ...args);
    expect(succeeded, `${command} ${args.join(' ')}\n${output}`).to.equal(true);
    return output;
  }

  /** A copy of the files of this repository, with the packages that are installed in it. It lives until these tests end. */
  function copyRepository(): string {
    const folder = makeTemporaryFolder(endWithFile);
    const files = succeed(ROOT, 'git', 'ls-files', '--cached', '--others', '--exclude-standard').trimEnd().split('\n');
    for (const file of files) if (existsSync(join(ROOT, file))) cpSync(join(ROOT, file), join(folder, file));
    for (const shared of ['node_modules', '.cache'])
      if (existsSync(join(ROOT, shared)) && !existsSync(join(folder, shared)))
        symlinkSync(join(ROOT, shared), join(folder, shared));
    return folder;
  }

  function test(folder: string, ...args: readonly string[]): readonly [succeeded: boolean, output: string] {
    return run(folder, 'node', 'node_modules/mocha/bin/mocha.js', ...args);
  }

  // One copy for both, because compiling it takes longest.
  const places = recipeOf('Example: a new member of an animal');
  const ofSource = places.filter(({ file }) => file.startsWith('src/'));
  let folder: string;
  let compile: Compiler;

  before(() => {
    folder = copyRepository();
    for (const place of [...places, ...recipeOf('Example: a new operation')]) apply(folder, place);
    succeed(folder, 'npm', 'run', 'generate');
    compile = makeCompiler(folder);
  });

  const CHECKS = [
    'test/adapters/in-memory/in-memory-pet-catalogue.test.ts',
    'test/adapters/mongodb/pets/mongo-pet-catalogue.test.ts',
    'test/adapters/mongodb/schema/validated-members.test.ts',
    'test/adapters/remote/remote-pet-catalogue.test.ts',
    'test/adapters/sqlite/sqlite-pet-catalogue.test.ts',
  ];

  it(`for a new member of an animal changes at most ${MOST_PLACES} places outside tests and documents`, () => {
    expect(ofSource.length).to.be.within(1, MOST_PLACES);
  });

  it('for a new member of an animal passes the contract in memory and on SQLite, and its own checks on MongoDB and over HTTP', () => {
    const chosen = ['--grep', '^InMemoryPetCatalogue|^SqlitePetCatalogue|breed'];
    const [succeeded, output] = test(folder, ...CHECKS, 'test/broken-adapters/broken-catalogues.test.ts', ...chosen);
    expect(succeeded, output).to.equal(true);
    for (const check of ['add keeps the breed exactly', 'and stores nothing: another breed'])
      expect(output).to.include(check);
  });

  it('for a new member or a new operation passes the tests of requests and of the document', () => {
    const [succeeded, output] = test(
      folder,
      'test/adapters/http/json/new-pet-input.test.ts',
      'test/adapters/http/operations/openapi.test.ts',
      'test/http/meaning.test.ts',
    );
    expect(succeeded, output).to.equal(true);
    expect(output).to.include('listStatuses answers with every status of an animal');
  });

  for (const [i, place] of places.entries()) {
    it(`for a new member is incomplete without place ${i + 1}, in ${place.file}: the compiler or a check names the member`, () => {
      undo(folder, place);
      try {
        const errors = compile();
        if (errors !== '') expect(errors).to.include('breed');
        else {
          // Those of another adapter do not see the place.
          const [, ...adapter] = dirname(place.file).split('/').slice(0, 3);
          const checks = CHECKS.filter((check) => check.includes(`/${adapter.join('/')}/`));
          const [passes, failures] = test(folder, ...checks, '--grep', 'breed');
          expect(checks, 'no check is of this folder').not.to.have.lengthOf(0);
          expect(passes, 'no check fails').to.equal(false);
          expect(failures).to.match(/\d+\) .*breed/);
        }
      } finally {
        apply(folder, place);
      }
    });
  }
});
