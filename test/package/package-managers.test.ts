import { mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect } from 'chai';
import { installPackages } from '../support/install-packages.js';
import { makeTemporaryFolder } from '../support/temporary-folder.js';
import { MANIFEST, packTarball, ROOT, succeed, TOOLS, write } from './project.js';

/** The oldest Node that `engines` allows. */
const OLDEST_NODE = /^>=(\d+\.\d+)$/.exec(MANIFEST.engines.node)?.[1] ?? '';

/** The optional packages, each in the newest version that fits this package. */
const OPTIONAL = Object.entries(MANIFEST.peerDependencies).map(([name, range]) => `${name}@${range}`);

interface Manager {
  /** The files of a project that make the package manager refuse packages that are not for this Node. */
  readonly files?: Readonly<Record<string, string>>;
  /** The program, in the folder of its package. */
  readonly program: string;
  readonly args: (tarball: string, cache: string) => readonly string[];
}

const STRICT = { '.npmrc': 'engine-strict=true\n' };

const MANAGERS: Readonly<Record<string, Manager>> = {
  npm: {
    files: STRICT,
    program: 'npm',
    args: (tarball) => ['install', '--no-audit', '--no-fund', tarball, ...OPTIONAL],
  },
  'Yarn 1': {
    program: 'yarn/bin/yarn.js',
    args: (tarball, cache) => ['add', '--non-interactive', '--cache-folder', cache, `file:${tarball}`, ...OPTIONAL],
  },
  'Yarn 4': {
    files: { 'yarn.lock': '', '.yarnrc.yml': 'nodeLinker: node-modules\nenableTelemetry: false\n' },
    program: '@yarnpkg/cli-dist/bin/yarn.js',
    args: (tarball) => ['add', `animal-store@file:${tarball}`, ...OPTIONAL],
  },
  pnpm: {
    files: { ...STRICT, 'pnpm-workspace.yaml': 'engineStrict: true\nstrictPeerDependencies: true\n' },
    program: 'pnpm/bin/pnpm.mjs',
    args: (tarball, cache) => ['add', '--store-dir', cache, `file:${tarball}`, ...OPTIONAL],
  },
};

describe(`on Node ${OLDEST_NODE}, the oldest of engines, the package and its optional packages`, function () {
  this.timeout(600_000);
  let node: string;

  before(async () => {
    installPackages(join(ROOT, TOOLS));
    const { folderOfNode } = (await import(join(ROOT, 'scripts/node-program.js'))) as {
      readonly folderOfNode: (version: string) => string;
    };
    node = folderOfNode(OLDEST_NODE);
  });

  for (const [name, { files = {}, program, args }] of Object.entries(MANAGERS)) {
    it(`are installed by ${name}, which refuses what is for another Node`, () => {
      const folder = makeTemporaryFolder();
      const project = join(folder, 'project');
      mkdirSync(project);
      write(project, 'package.json', JSON.stringify({ private: true, type: 'module' }));
      for (const [file, text] of Object.entries(files)) write(project, file, text);
      const env = { PATH: `${node}${delimiter}${process.env['PATH'] ?? ''}` };
      const tool = join(ROOT, TOOLS, 'node_modules', program);
      const all = args(packTarball(), join(folder, 'cache'));
      if (program === 'npm') succeed(project, 'npm', all, env);
      else succeed(project, join(node, 'node'), [tool, ...all], env);
      write(
        project,
        'main.mjs',
        `import { startServer } from 'animal-store/bootstrap'; console.log(typeof startServer);`,
      );
      expect(succeed(project, join(node, 'node'), ['main.mjs'])).to.equal('function\n');
    });
  }
});
