import { join } from 'node:path';
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

const RESOLUTIONS = {
  nodenext: { module: 'nodenext', moduleResolution: 'nodenext' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
};

/** The compiler's errors in a user's project; empty if it compiles. */
function compile(project: string, compilerOptions: object): string {
  write(project, 'tsconfig.json', JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  return run(project, process.execPath, [TSC]).stdout;
}

describe('the types of the packed package', function () {
  this.timeout(120_000);

  for (const [name, resolution] of Object.entries(RESOLUTIONS)) {
    it(`compile and run in a stranger's strict project under ${name} resolution`, () => {
      const project = makeProjectOf('test/package/stranger', [...ALL_PACKAGES, '@types/koa', '@types/node']);
      expect(compile(project, { ...STRICTEST, ...resolution, types: ['node'] })).to.equal('');
      const { stdout, stderr } = run(project, process.execPath, ['out/consumer.js']);
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
    const project = makeProject();
    const entries = ['animal-store', 'animal-store/in-memory', 'animal-store/contract'];
    write(project, 'all.ts', entries.map((entry, i) => `export * as entry${i} from '${entry}';`).join('\n'));
    expect(compile(project, { ...STRICTEST, ...RESOLUTIONS.nodenext, types: [] })).to.equal('');
  });

  it('need none of the optional packages if the compiler does not check libraries', () => {
    const project = makeProject([...DEPENDENCIES, '@types/koa', '@types/node']);
    write(project, 'all.ts', ENTRIES.map((entry, i) => `export * as entry${i} from '${entry}';`).join('\n'));
    const options = { ...STRICTEST, ...RESOLUTIONS.nodenext, types: ['node'], skipLibCheck: true };
    expect(compile(project, options)).to.equal('');
  });

  it('tell every entry point to a project in CommonJS too', () => {
    const project = makeProject([...ALL_PACKAGES, '@types/koa', '@types/node']);
    write(project, 'package.json', JSON.stringify({ private: true, type: 'commonjs' }));
    const imports = ENTRIES.map((entry, i) => `import entry${i} = require('${entry}');`);
    write(project, 'all.ts', [...imports, `export = [${ENTRIES.map((_, i) => `entry${i}`).join()}];`].join('\n'));
    const options = { ...STRICTEST, ...RESOLUTIONS.nodenext, types: ['node'], skipLibCheck: true };
    expect(compile(project, options)).to.equal('');
  });
});
