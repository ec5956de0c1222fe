import { basename, join } from 'node:path';
import { expect } from 'chai';
import { petCatalogueChecks } from '../contracts/pet-catalogue-contract.js';
import { writeBlocks } from './code-blocks.js';
import {
  ALL_PACKAGES,
  CHECK_JSDOC,
  DEPENDENCIES,
  ENTRIES,
  EXAMPLES_WITH_PACKAGES,
  makeProject,
  makeProjectOf,
  ROOT,
  run,
  write,
} from './project.js';

/** The packages of types that those of ours need. */
const TYPES = ['@types/koa', '@types/node'];
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');

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

/** A project of a user, and its tsconfig.json. */
interface Project {
  readonly folder: string;
  readonly config: {
    readonly compilerOptions: object;
    readonly include?: readonly string[];
    readonly exclude?: readonly string[];
  };
}

const NODENEXT = { module: 'nodenext', moduleResolution: 'nodenext' };
const BUNDLER = { module: 'esnext', moduleResolution: 'bundler' };

/** A project that imports these entry points, with these packages beside this one. */
function makeImporter(entries: readonly string[], packages: readonly string[] = []): string {
  const folder = makeProject(packages);
  write(folder, 'all.ts', entries.map((entry, i) => `export * as entry${i} from '${entry}';`).join('\n'));
  return folder;
}

function makeStranger(): string {
  return makeProjectOf('test/package/stranger', [...ALL_PACKAGES, ...TYPES]);
}

function makeCommonJs(): string {
  const folder = makeProject([...ALL_PACKAGES, ...TYPES]);
  write(folder, 'package.json', JSON.stringify({ private: true, type: 'commonjs' }));
  const imports = ENTRIES.map((entry, i) => `import entry${i} = require('${entry}');`);
  write(folder, 'all.ts', [...imports, `export = [${ENTRIES.map((_, i) => `entry${i}`).join()}];`].join('\n'));
  return folder;
}

/** A CommonJS package whose TypeScript has import statements, which the compiler turns into calls of `require`. */
function makeCommonJsImporter(): string {
  const folder = makeProject(TYPES);
  write(folder, 'package.json', JSON.stringify({ private: true, type: 'commonjs' }));
  const text = `
    import { createAnimalStore } from 'animal-store';
    import { InMemoryPetCatalogue } from 'animal-store/in-memory';
    const store = createAnimalStore({ catalogue: new InMemoryPetCatalogue() });
    void store.createPet({ name: 'Rex', categoryId: 7 }).then(({ id }: { readonly id: bigint }) => console.log(id));
  `;
  write(folder, 'main.ts', text);
  return folder;
}

function makeReader(): string {
  const folder = makeProject([...ALL_PACKAGES, ...TYPES, '@types/koa-mount', 'koa-mount']);
  writeBlocks(folder);
  return folder;
}

function makeProjects() {
  const ofNode = { ...STRICTEST, ...NODENEXT, types: ['node'] };
  const required = makeImporter(ENTRIES, [...DEPENDENCIES, ...TYPES]);
  const alone = makeImporter(['animal-store', 'animal-store/in-memory', 'animal-store/contract']);
  const commonJs = (module: string) => ({ module, target: 'es2023', strict: true, types: ['node'], outDir: 'out' });
  const otherPackages = ['@hono/node-server', '@types/koa-mount', 'koa-mount', 'undici'];
  return {
    nodenext: { folder: makeStranger(), config: { compilerOptions: ofNode } },
    // `published.test.ts` has the libraries checked under this resolution.
    bundler: { folder: makeStranger(), config: { compilerOptions: { ...ofNode, ...BUNDLER, skipLibCheck: true } } },
    alone: { folder: alone, config: { compilerOptions: { ...ofNode, types: [] } } },
    required: { folder: required, config: { compilerOptions: { ...ofNode, skipLibCheck: true } } },
    commonJs: { folder: makeCommonJs(), config: { compilerOptions: { ...ofNode, skipLibCheck: true } } },
    node20: { folder: makeCommonJsImporter(), config: { compilerOptions: commonJs('node20') } },
    nodenextCommonJs: { folder: makeCommonJsImporter(), config: { compilerOptions: commonJs('nodenext') } },
    node16: { folder: makeCommonJsImporter(), config: { compilerOptions: commonJs('node16') } },
    node18: { folder: makeCommonJsImporter(), config: { compilerOptions: commonJs('node18') } },
    documents: {
      folder: makeReader(),
      config: { compilerOptions: { ...CHECK_JSDOC, allowJs: false, checkJs: false } },
    },
    examples: {
      folder: makeProjectOf('examples', [...ALL_PACKAGES, ...TYPES, ...otherPackages]),
      config: { compilerOptions: CHECK_JSDOC, include: ['*/*.js'], exclude: EXAMPLES_WITH_PACKAGES },
    },
  } satisfies Record<string, Project>;
}

describe('the types of the packed package', function () {
  this.timeout(300_000);
  let projects: ReturnType<typeof makeProjects>;
  let errors: readonly string[];

  /** The compiler's errors in a project, and those in none; empty if it compiles. */
  function errorsIn(name: keyof typeof projects): readonly string[] {
    const others = Object.values(projects).filter((project) => project !== projects[name]);
    return errors.filter((line) => !others.some(({ folder }) => line.includes(basename(folder))));
  }

  // One run of the compiler, which reads the types of the packages once.
  before(() => {
    projects = makeProjects();
    const folders = Object.values<Project>(projects).map(({ folder, config }) => {
      write(folder, 'tsconfig.json', JSON.stringify({ include: ['*.ts'], ...config }));
      return folder;
    });
    const { stdout } = run('/', process.execPath, [TSC, '--build', ...folders]);
    // The lines after the first one of an error are indented.
    const lines = stdout.replaceAll(/\n +/g, ' ').split('\n');
    errors = lines.filter((line) => line !== '');
  });

  for (const name of ['nodenext', 'bundler'] as const) {
    it(`compile and run in a stranger's strict project under ${name} resolution`, () => {
      expect(errorsIn(name)).to.deep.equal([]);
      const { stdout, stderr } = run(projects[name].folder, process.execPath, ['out/consumer.js']);
      expect(stderr).to.equal('');
      expect(JSON.parse(stdout)).to.deep.include({
        id: '1',
        names: ['Rex'],
        next: 'undefined',
        calls: 3,
        code: 'pet_not_found',
        faults: ['name', 'categoryId'],
        tom: '7 Tom -9223372036854775808',
        kim: 'Kim 7 undefined undefined',
        limit: 100,
        principal: 'anna',
        mounts: 'function',
        checks: Object.keys(petCatalogueChecks).length > 40,
      });
    });
  }

  it('need no types of any other package for the core, the in-memory adapter and the contract', () => {
    expect(errorsIn('alone')).to.deep.equal([]);
  });

  it('need none of the optional packages if the compiler does not check libraries', () => {
    expect(errorsIn('required')).to.deep.equal([]);
  });

  it('tell every entry point to a project in CommonJS too', () => {
    expect(errorsIn('commonJs')).to.deep.equal([]);
  });

  for (const [name, module] of [
    ['node20', 'node20'],
    ['nodenextCommonJs', 'nodenext'],
  ] as const) {
    it(`compile and run in a CommonJS package under ${module}`, () => {
      expect(errorsIn(name)).to.deep.equal([]);
      expect(run(projects[name].folder, process.execPath, ['out/main.js']).stdout).to.equal('1n\n');
    });
  }

  for (const module of ['node16', 'node18'] as const) {
    it(`cannot be imported in a CommonJS package under ${module}`, () => {
      expect(errorsIn(module).join('\n')).to.include('TS1479');
    });
  }

  it('fit the TypeScript that the documents show', () => {
    expect(errorsIn('documents')).to.deep.equal([]);
  });

  it('fit the JavaScript of the examples, by its JSDoc', () => {
    expect(errorsIn('examples')).to.deep.equal([]);
  });
});
