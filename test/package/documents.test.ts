import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { transformSync } from 'esbuild';
import { ERROR_STATUS } from '../../src/adapters/http/pipeline/errors.js';
import { ANIMAL_STORE_ERROR_CODES } from '../../src/domain/errors.js';
import { BLOCKS, documents, fileOf, writeBlocks, type CodeBlock } from './code-blocks.js';
import { ALL_PACKAGES, makeProject, ROOT, run, write } from './project.js';

/** The JavaScript of a block, in the file of its project that can be run. */
function runnable(project: string, block: CodeBlock): string {
  if (block.language !== 'ts') return fileOf(block);
  const file = `${fileOf(block)}.mjs`;
  write(project, file, transformSync(block.text, { loader: 'ts', target: 'es2023' }).code);
  return file;
}

/** The lines that a block promises to print: `…); // this`. */
function promisesOf({ text }: CodeBlock): string[] {
  return [...text.matchAll(/\); \/\/ (.*)$/gm)].map((match) => match[1] as string);
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

/** The links of documents to files that a folder lacks, and to headings that they lack. */
function brokenLinksIn(folder: string, names = documents()): string[] {
  return names.flatMap((document) =>
    [...readFileSync(join(ROOT, document), 'utf8').matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)]
      .filter(([, path = '', anchor]) => {
        const target = join(folder, path === '' ? document : join(document, '..', path));
        if (!existsSync(target)) return true;
        return anchor !== undefined && !anchorsOf(readFileSync(target, 'utf8')).includes(anchor);
      })
      .map(([link]) => `${document}: ${link}`),
  );
}

describe('the documents', () => {
  let project: string;

  before(() => {
    project = makeProject([...ALL_PACKAGES, 'koa-mount']);
    writeBlocks(project);
  });

  it('show code', () => {
    expect(BLOCKS.filter(({ runs }) => runs).length).to.be.greaterThan(5);
  });

  it('call the languages of their code ts, js and cjs, which these tests look for', () => {
    const others = /^```(?:typescript|javascript|mjs|mts|cts|jsx|tsx)\b/im;
    expect(documents().filter((document) => others.test(readFileSync(join(ROOT, document), 'utf8')))).to.deep.equal([]);
  });

  for (const block of BLOCKS.filter(({ runs }) => runs)) {
    it(`show code that runs, and prints what it says: ${block.where}`, () => {
      const { status, stdout, stderr } = run(project, process.execPath, [runnable(project, block)]);
      expect(status, stdout + stderr).to.equal(0);
      for (const promise of promisesOf(block)) expect(stdout.split('\n')).to.include(promise);
    });
  }

  it('name no script of package.json that is not there', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: object };
    const named = [...documents(), 'CONTRIBUTING.md'].flatMap((document) =>
      [...readFileSync(join(ROOT, document), 'utf8').matchAll(/npm run ([\w:]+)/g)].map((match) => match[1] as string),
    );
    expect(named.filter((script) => !(script in scripts))).to.deep.equal([]);
  });

  for (const [where, rows] of Object.entries({
    library: ANIMAL_STORE_ERROR_CODES.map((code) => `| \`${code}\` |`),
    service: Object.entries(ERROR_STATUS).map(([code, status]) => `| ${status} | \`${code}\` |`),
  })) {
    it(`list the codes of the ${where}`, () => {
      const text = readFileSync(join(ROOT, 'docs/errors.md'), 'utf8');
      for (const row of rows) expect(text, `a code goes into its table "From the ${where}"`).to.include(`\n${row}`);
    });
  }

  it('have no link to a file or a heading that the repository lacks', () => {
    const others = ['CONTRIBUTING.md', 'SECURITY.md', 'UPGRADING.md', 'deploy/README.md'];
    expect(brokenLinksIn(ROOT, [...documents(), ...others])).to.deep.equal([]);
  });

  it('have no link to a file that the package lacks', () => {
    expect(brokenLinksIn(join(project, 'node_modules/animal-store'))).to.deep.equal([]);
  });
});
