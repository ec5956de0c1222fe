import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect } from 'chai';
import { HAS_SQLITE } from '../support/sqlite.js';
import { ALL_PACKAGES, ENTRIES, makeProject, succeed, write } from './project.js';

/** The entry points that this Node can load. */
const LOADABLE = ENTRIES.filter((entry) => HAS_SQLITE || entry !== 'animal-store/sqlite');

describe('the packed package', () => {
  let alone: string;
  let installed: string;

  before(() => {
    alone = makeProject();
    installed = makeProject(ALL_PACKAGES);
  });

  /** Runs a module that imports these entry points. */
  function load(project: string, entries: readonly string[]): void {
    write(project, 'load.mjs', entries.map((entry) => `import '${entry}';`).join('\n'));
    succeed(project, process.execPath, ['load.mjs']);
  }

  it('loads the core, the in-memory adapters and the contract with no other package installed', () => {
    load(alone, ['animal-store', 'animal-store/in-memory', 'animal-store/contract']);
  });

  it('imports every entry point, and requires it from CommonJS, with the same exports', () => {
    const namesBy = (file: string, load: string): Readonly<Record<string, string[]>> => {
      const text = `const all = {}; for (const entry of ${JSON.stringify(LOADABLE)}) all[entry] = Object.keys(${load}).sort();`;
      write(installed, file, `${text} console.log(JSON.stringify(all));`);
      return JSON.parse(succeed(installed, process.execPath, [file])) as Readonly<Record<string, string[]>>;
    };
    const imported = namesBy('import.mjs', 'await import(entry)');
    const required = namesBy('require.cjs', 'require(entry)');
    for (const entry of LOADABLE) {
      expect(required[entry]?.filter((name) => name !== '__esModule')).to.deep.equal(imported[entry]);
      expect(imported[entry]).not.to.deep.equal([]);
    }
  });

  it('loads every entry point but animal-store/bootstrap without Inversify', () => {
    const project = makeProject(ALL_PACKAGES.filter((name) => !['inversify', 'reflect-metadata'].includes(name)));
    load(
      project,
      LOADABLE.filter((name) => !name.endsWith('/bootstrap')),
    );
  });

  it('has every source map that its files name, and every source that its maps name', () => {
    const folder = join(alone, 'node_modules/animal-store');
    const files = readdirSync(join(folder, 'dist'), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:js|ts|map)$/.test(name))
      .map((name) => join(folder, 'dist', name));
    const namedBy = (file: string): string[] => {
      const text = readFileSync(file, 'utf8');
      if (file.endsWith('.map')) return (JSON.parse(text) as { readonly sources: string[] }).sources;
      return [...text.matchAll(/^\/\/# sourceMappingURL=(.*)$/gm)].map((match) => match[1] as string);
    };
    const named = files.flatMap((file) => namedBy(file).map((name) => join(file, '..', name)));
    expect(named.length).to.be.greaterThan(100);
    expect(named.filter((file) => !existsSync(file))).to.deep.equal([]);
  });

  it('contains only code with its types, maps and sources, documents, and what the documents link to', () => {
    const folder = join(alone, 'node_modules/animal-store');
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
    const code = /^(?:dist|src|test\/contracts)\/.*(?:\.js|\.ts|\.map|\/LICENSE|\/NOTICE|\.LICENSE\.txt)$/;
    const documents = /^(?:docs|deploy|examples)\/|^[A-Z]+\.md$|^LICENSE$|^package\.json$/;
    for (const file of files) expect(code.test(file) || documents.test(file), file).to.equal(true);
    const isOfDevelopment = (file: string): boolean => /\.test\.ts|broken|node_modules|package-lock/.test(file);
    expect(files.filter(isOfDevelopment)).to.deep.equal([]);
  });
});
