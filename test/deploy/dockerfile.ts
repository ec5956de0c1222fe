import { Copy, DockerfileParser } from 'dockerfile-ast';
import { cpSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ROOT } from '../support/child.js';

export const DOCKERFILE = readFileSync(join(ROOT, 'deploy/Dockerfile'), 'utf8');

/** One instruction without its flags; `from` is the stage that a `COPY` names. */
export interface Instruction {
  readonly keyword: string;
  readonly text: string;
  readonly from: string | undefined;
}

/** The instructions of each stage by its name, in order. The last stage is `image`. */
export const STAGES = new Map<string, Instruction[]>();
for (const instruction of DockerfileParser.parse(DOCKERFILE).getInstructions()) {
  const keyword = instruction.getKeyword();
  const text = instruction.getArgumentsContent() ?? '';
  const from = instruction instanceof Copy ? (instruction.getFromFlag()?.getValue() ?? undefined) : undefined;
  if (keyword === 'FROM') STAGES.set(/ AS (\S+)$/i.exec(text)?.[1] ?? 'image', []);
  else [...STAGES.values()].at(-1)?.push({ keyword, text, from });
}

/** The only instruction of the image with this keyword. Throws if there is none, or more than one. */
export function onlyInstruction(keyword: string): Instruction {
  const [instruction, ...others] = STAGES.get('image')?.filter((each) => each.keyword === keyword) ?? [];
  if (instruction === undefined || others.length > 0) throw new Error(`the image has not one ${keyword}`);
  return instruction;
}

/** The words of an instruction in exec form, `["node", "a.js"]`. Throws for the shell form. */
export function execForm({ text }: Pick<Instruction, 'text'>): readonly string[] {
  return JSON.parse(text.replace(/^CMD /, '')) as string[];
}

/** The variables that the image sets. */
export function imageVariables(): Record<string, string> {
  const image = STAGES.get('image') ?? [];
  return Object.fromEntries(image.filter(({ keyword }) => keyword === 'ENV').map(({ text }) => text.split('=', 2)));
}

/**
 * Whether the build sees a file of the repository, by `Dockerfile.dockerignore`: the last pattern that names the file or a
 * folder around it decides. Throws for a pattern that is neither `*` nor a path.
 */
export function isInContext(path: string): boolean {
  const lines = readFileSync(join(ROOT, 'deploy/Dockerfile.dockerignore'), 'utf8').split('\n');
  let isSeen = true;
  for (const line of lines.filter((each) => each !== '' && !each.startsWith('#'))) {
    const [, not, pattern = ''] = /^(!?)(.*)$/.exec(line) ?? [];
    if (pattern !== '*' && !/^[\w./-]+$/.test(pattern)) throw new Error(`this test does not understand ${line}`);
    if (pattern === '*' || path === pattern || path.startsWith(`${pattern}/`)) isSeen = not === '!';
  }
  return isSeen;
}

/**
 * Does what a `COPY` into `/app` does.
 *
 * @param folders The `/app` of each stage before, and of this one, by its name.
 */
export function copy({ from, text }: Instruction, app: string, folders: ReadonlyMap<string, string>): void {
  const paths = text.split(/ +/);
  const target = paths.pop() ?? '';
  for (const path of paths) {
    const source = from === undefined ? join(ROOT, path) : join(folders.get(from) ?? '', path.replace(/^\/app\//, ''));
    const isFolder = statSync(source).isDirectory();
    if (from === undefined && !isFolder && !isInContext(path)) throw new Error(`the build does not see ${path}`);
    const destination = join(app, isFolder ? target : join(target, basename(source)));
    mkdirSync(join(destination, '..'), { recursive: true });
    const filter = (file: string): boolean =>
      from !== undefined || statSync(file).isDirectory() || isInContext(file.slice(ROOT.length));
    cpSync(source, destination, { recursive: true, verbatimSymlinks: true, filter });
    if (!existsSync(destination)) throw new Error(`nothing was copied from ${path}`);
  }
}
