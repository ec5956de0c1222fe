import { basename, join } from 'node:path';
import { expect } from 'chai';
import { installPackages } from '../support/install-packages.js';
import { writeBlocks } from './code-blocks.js';
import {
  ALL_PACKAGES,
  DEPENDENCIES,
  ENTRIES,
  EXAMPLES_WITH_PACKAGES,
  makeProject,
  makeProjectOf,
  makeProjectWithOldest,
  linkFrom,
  ROOT,
  run,
  succeed,
  TOOLS,
  write,
} from './project.js';

/** The packages of types that those of ours need. */
const TYPES = ['@types/koa', '@types/node'];

const STRICTEST = {
  target: 'es2023',
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noImplicitOverride: true,
  noPropertyAccessFromIndexSignature: true,
  verbatimModuleSyntax: true,
  skipLibCheck: false,
  // The libraries of TypeScript itself, such as that of the DOM, hold nothing of this package.
  skipDefaultLibCheck: true,
  outDir: 'out',
};
const OF_NODE = { ...STRICTEST, module: 'nodenext', moduleResolution: 'nodenext', types: ['node'] };
const WITHOUT_LIBRARIES = { ...OF_NODE, skipLibCheck: true };

/** Options of the compiler with which it checks JavaScript by its JSDoc. */
const CHECK_JSDOC = {
  allowJs: true,
  checkJs: true,
  noEmit: true,
  strict: true,
  skipLibCheck: true,
  module: 'nodenext',
  target: 'es2023',
  types: ['node'],
};

/** A project of a user, and its tsconfig.json. */
type Project = readonly [
  folder: string,
  compilerOptions: object,
  files?: { readonly include: readonly string[]; readonly exclude?: readonly string[] },
];

/** A project that imports every one of these entry points. */
function makeImporter(entries: readonly string[], packages: readonly string[] = []): string {
  const folder = makeProject(packages);
  write(folder, 'all.ts', entries.map((entry, i) => `export * as entry${i} from '${entry}';`).join('\n'));
  return folder;
}

function makeReader(): string {
  const folder = makeProject([...ALL_PACKAGES, ...TYPES, '@types/koa-mount', '@types/pg', 'koa-mount']);
  writeBlocks(folder);
  return folder;
}

/** A project that makes a Koa application with the oldest types of Koa. */
function makeOldKoa(): string {
  const folder = makeProjectWithOldest('@types/koa');
  linkFrom('.', folder, ['@types/node']);
  const text = `
    import Koa from 'koa';
    import { createAnimalStore } from 'animal-store';
    import { InMemoryApiKeys, InMemoryPetCatalogue } from 'animal-store/in-memory';
    import { createApp } from 'animal-store/koa';
    const store = createAnimalStore({ catalogue: new InMemoryPetCatalogue() });
    const app: Koa = createApp({ store, apiKeys: new InMemoryApiKeys() });
    app.callback();`;
  write(folder, 'main.ts', text);
  return folder;
}

function makeProjects() {
  const stranger = [...ALL_PACKAGES, ...TYPES];
  const alone = ['animal-store', 'animal-store/in-memory', 'animal-store/contract'];
  const ofExamples = [...stranger, '@hono/node-server', '@types/koa-mount', 'koa-mount', 'undici'];
  const withExamples = { include: ['*/*.js'], exclude: EXAMPLES_WITH_PACKAGES };
  return {
    nodenext: [makeProjectOf('test/package/stranger', stranger), OF_NODE],
    alone: [makeImporter(alone), { ...OF_NODE, types: [] }],
    bootstrap: [makeImporter(['animal-store/bootstrap'], [...DEPENDENCIES, '@types/node']), OF_NODE],
    required: [makeImporter(ENTRIES, [...DEPENDENCIES, ...TYPES]), WITHOUT_LIBRARIES],
    documents: [makeReader(), { ...CHECK_JSDOC, allowJs: false, checkJs: false, allowImportingTsExtensions: true }],
    examples: [makeProjectOf('examples', ofExamples), CHECK_JSDOC, withExamples],
    oldKoa: [makeOldKoa(), CHECK_JSDOC],
  } satisfies Record<string, Project>;
}

describe('the types of the packed package', function () {
  this.timeout(600_000);
  let projects: ReturnType<typeof makeProjects>;
  let errors: readonly string[];

  /** The compiler's errors in a project, and those in none; empty if it compiles. */
  function errorsIn(name: keyof typeof projects): readonly string[] {
    const others = Object.values(projects).filter((project) => project !== projects[name]);
    return errors.filter((line) => !others.some(([folder]) => line.includes(basename(folder))));
  }

  // One run of the compiler, which reads the types of the packages once.
  before(async () => {
    await installPackages(join(ROOT, TOOLS));
    projects = makeProjects();
    const folders = Object.values<Project>(projects).map(([folder, compilerOptions, files = { include: ['*.ts'] }]) => {
      write(folder, 'tsconfig.json', JSON.stringify({ compilerOptions, ...files }));
      return folder;
    });
    const { stdout } = run('/', process.execPath, [
      join(ROOT, 'node_modules/typescript/bin/tsc'),
      '--build',
      ...folders,
    ]);
    // The lines after the first one of an error are indented.
    errors = stdout.replaceAll(/\n +/g, ' ').split('\n').filter(Boolean);
  });

  for (const [what, name, program] of [
    ["compile and run in a stranger's strict project under nodenext resolution", 'nodenext', 'out/consumer.js'],
    ['need no types of any other package for the core, the in-memory adapter and the contract', 'alone'],
    ["need no types of the databases' drivers for the wiring", 'bootstrap'],
    ['need none of the optional packages if the compiler does not check libraries', 'required'],
    ['fit the TypeScript that the documents show', 'documents'],
    ['fit the JavaScript of the examples, by its JSDoc', 'examples'],
    ['fit the oldest types of Koa', 'oldKoa'],
  ] as const) {
    it(what, () => {
      expect(errorsIn(name)).to.deep.equal([]);
      if (program !== undefined) succeed(projects[name][0], process.execPath, [program]);
    });
  }
});
