import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, write } from './project.js';

/** A fenced code block of a document, in a language that Node can run. */
export interface CodeBlock {
  /** The document and the line that the block starts on. */
  readonly where: string;
  readonly language: 'ts' | 'js' | 'cjs';
  /** The name of the file that the fence says it is: others import it. */
  readonly file: string | undefined;
  /** Whether it can run by itself. A block whose fence says `no-run`, or names its file, cannot. */
  readonly runs: boolean;
  readonly text: string;
}

/** README.md and every document under docs/, by its path in the repository. */
export function documents(): string[] {
  const docs = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md') && !file.startsWith('api'))
    .map((file) => join('docs', file));
  return [...(existsSync(join(ROOT, 'README.md')) ? ['README.md'] : []), ...docs.sort()];
}

/** The code blocks of a document. */
function codeBlocksOf(document: string): CodeBlock[] {
  const text = readFileSync(join(ROOT, document), 'utf8');
  return [...text.matchAll(/^```(ts|js|cjs)(?: (no-run|\S+\.ts))?\n(.*?)^```$/gms)].map((match) => ({
    where: `${document}:${text.slice(0, match.index).split('\n').length}`,
    language: match[1] as CodeBlock['language'],
    file: match[2]?.endsWith('.ts') === true ? match[2] : undefined,
    runs: match[2] === undefined,
    text: match[3] as string,
  }));
}

const EXTENSIONS = { ts: 'ts', js: 'mjs', cjs: 'cjs' };

/** The code blocks of all documents. */
export const BLOCKS = documents().flatMap(codeBlocksOf);

/** The name of a block's file in a project. */
export function fileOf(block: CodeBlock): string {
  return block.file ?? `block-${BLOCKS.indexOf(block) + 1}.${EXTENSIONS[block.language]}`;
}

/** Writes every block into a project. */
export function writeBlocks(project: string): void {
  for (const block of BLOCKS) write(project, fileOf(block), block.text);
}
