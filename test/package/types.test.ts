import { basename, join } from 'node:path';
import { expect } from 'chai';
import { petCatalogueChecks } from '../contracts/pet-catalogue-contract.js';
import { ALL_PACKAGES, DEPENDENCIES, ENTRIES, makeProject, makeProjectOf, ROOT, run, write } from './project.js';

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

/** A project of a user, with the options of the compiler that it has beside the strictest. */
interface Project {
  readonly folder: string;
  readonly compilerOptions: object;
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
  return makeProjectOf('test/package/stranger', [...ALL_PACKAGES, '@types/koa', '@types/node']);
}

function makeCommonJs(): string {
  const folder = makeProject([...ALL_PACKAGES, '@types/koa', '@types/node']);
  write(folder, 'package.json', JSON.stringify({ private: true, type: 'commonjs' }));
  const imports = ENTRIES.map((entry, i) => `import entry${i} = require('${entry}');`);
  write(folder, 'all.ts', [...imports, `export = [${ENTRIES.map((_, i) => `entry${i}`).join()}];`].join('\n'));
  return folder;
}

describe('the types of the packed package', function () {
  this.timeout(120_000);
  let projects: Readonly<Record<'nodenext' | 'bundler' | 'alone' | 'required' | 'commonJs', Project>>;
  let errors: readonly string[];

  /** The compiler's errors in a project, and those in none; empty if it compiles. */
  function errorsIn(name: keyof typeof projects): readonly string[] {
    const others = Object.values(projects).filter((project) => project !== projects[name]);
    return errors.filter((line) => !others.some(({ folder }) => line.includes(basename(folder))));
  }

  // One run of the compiler, which reads the types of the packages once.
  before(() => {
    const ofNode = { ...NODENEXT, types: ['node'] };
    projects = {
      nodenext: { folder: makeStranger(), compilerOptions: ofNode },
      bundler: { folder: makeStranger(), compilerOptions: { ...BUNDLER, types: ['node'] } },
      alone: {
        folder: makeImporter(['animal-store', 'animal-store/in-memory', 'animal-store/contract']),
        compilerOptions: { ...NODENEXT, types: [] },
      },
      required: {
        folder: makeImporter(ENTRIES, [...DEPENDENCIES, '@types/koa', '@types/node']),
        compilerOptions: { ...ofNode, skipLibCheck: true },
      },
      commonJs: { folder: makeCommonJs(), compilerOptions: { ...ofNode, skipLibCheck: true } },
    };
    const folders = Object.values(projects).map(({ folder, compilerOptions }) => {
      const options = { ...STRICTEST, ...compilerOptions };
      write(folder, 'tsconfig.json', JSON.stringify({ compilerOptions: options, include: ['*.ts'] }));
      return folder;
    });
    const { stdout } = run('/', process.execPath, [TSC, '--build', ...folders]);
    errors = stdout.split('\n').filter((line) => line !== '');
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
});
