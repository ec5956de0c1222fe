import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from '../support/child.js';

/** One place that a recipe changes: the lines that it replaces, which the file has once, and those in their place. */
export interface Place {
  readonly file: string;
  /** Empty if the file is a new one. */
  readonly before: string;
  readonly after: string;
}

/** A block of code in a section of CONTRIBUTING.md, indented as it is in a list. */
const BLOCK = /^( *)```(diff|ts)\n(.*?)^ *```$/gms;

/** The places that the section of CONTRIBUTING.md with this heading changes, in its order. */
export function recipeOf(heading: string): readonly Place[] {
  const text = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
  const section = text.split(/^## /m).find((each) => each.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`CONTRIBUTING.md has no section ${heading}`);
  return [...section.matchAll(BLOCK)].flatMap(([, indent = '', language, block = '']) => {
    const lines = block.split('\n').map((line) => line.slice(indent.length));
    return language === 'ts' ? [newFile(lines)] : placesOf(lines);
  });
}

/** A block of TypeScript whose first line is a comment with the name of the file. */
function newFile([first = '', ...lines]: readonly string[]): Place {
  return { file: first.replace(/^\/\/ /, ''), before: '', after: lines.join('\n') };
}

/** A block of a diff: `--- file`, and its places apart by `@@`. A line of a place begins with a blank, a plus or a minus. */
function placesOf([first = '', ...lines]: readonly string[]): readonly Place[] {
  const file = first.replace(/^--- /, '');
  return lines
    .join('\n')
    .trimEnd()
    .split(/^@@\n/m)
    .map((place) => {
      const marked = place.trimEnd().split('\n');
      const without = (mark: string): string =>
        marked
          .filter((line) => !line.startsWith(mark))
          .map((line) => `${line.slice(1)}\n`)
          .join('');
      return { file, before: without('+'), after: without('-') };
    });
}

/** Changes a place in a copy of the repository. */
export function apply(folder: string, { file, before, after }: Place): void {
  const path = join(folder, file);
  if (before === '') {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, after);
    return;
  }
  const [start, end, ...more] = readFileSync(path, 'utf8').split(before);
  if (start === undefined || end === undefined || more.length > 0)
    throw new Error(`CONTRIBUTING.md names lines of ${file} that it does not have once:\n${before}`);
  writeFileSync(path, start + after + end);
}

/** Undoes a change of {@link apply}. */
export function undo(folder: string, { file, before, after }: Place): void {
  apply(folder, { file, before: after, after: before });
}
