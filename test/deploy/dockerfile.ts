import { DockerfileParser, type Flag } from 'dockerfile-ast';
import { cpSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ROOT } from '../support/child.js';

export const DOCKERFILE = readFileSync(join(ROOT, 'deploy/Dockerfile'), 'utf8');

/** One instruction: `flags` are those such as `--from=build`, `text` is the rest. */
export interface Instruction {
  readonly keyword: string;
  readonly flags: Readonly<Record<string, string>>;
  readonly text: string;
}

/** What one `FROM` begins. The last stage is the image. */
export interface Stage {
  readonly name: string;
  readonly instructions: readonly Instruction[];
}

/** The stages of the Dockerfile in order. */
export function stagesOf(dockerfile: string): readonly Stage[] {
  const stages: { name: string; instructions: Instruction[] }[] = [];
  for (const instruction of DockerfileParser.parse(dockerfile).getInstructions()) {
    const keyword = instruction.getKeyword();
    const text = instruction.getArgumentsContent() ?? '';
    const given = 'getFlags' in instruction ? (instruction.getFlags as () => Flag[])() : [];
    const flags = Object.fromEntries(given.map((flag) => [flag.getName(), flag.getValue() ?? '']));
    if (keyword === 'FROM') stages.push({ name: / AS (\S+)$/i.exec(text)?.[1] ?? 'image', instructions: [] });
    else stages.at(-1)?.instructions.push({ keyword, flags, text });
  }
  return stages;
}

/** The only instruction of the last stage with this keyword. Throws if there is none, or more than one. */
export function onlyInstruction(keyword: string): Instruction {
  const found =
    stagesOf(DOCKERFILE)
      .at(-1)
      ?.instructions.filter((each) => each.keyword === keyword) ?? [];
  const [instruction] = found;
  if (instruction === undefined || found.length > 1) throw new Error(`there are ${found.length} times ${keyword}`);
  return instruction;
}

/** The words of an instruction in exec form, `["node", "a.js"]`. Throws for the shell form. */
export function execForm({ text }: Pick<Instruction, 'text'>): readonly string[] {
  return JSON.parse(text.replace(/^CMD /, '')) as string[];
}

/** The variables that the image sets. */
export function imageVariables(): Record<string, string> {
  const image = stagesOf(DOCKERFILE).at(-1)?.instructions ?? [];
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
export function copy({ flags, text }: Instruction, app: string, folders: ReadonlyMap<string, string>): void {
  const paths = text.split(/ +/);
  const target = paths.pop() ?? '';
  const stage = flags['from'];
  for (const path of paths) {
    const source =
      stage === undefined ? join(ROOT, path) : join(folders.get(stage) ?? '', path.replace(/^\/app\//, ''));
    const isFolder = statSync(source).isDirectory();
    if (stage === undefined && !isFolder && !isInContext(path)) throw new Error(`the build does not see ${path}`);
    const destination = join(app, isFolder ? target : join(target, basename(source)));
    mkdirSync(join(destination, '..'), { recursive: true });
    const filter = (file: string): boolean =>
      stage !== undefined || statSync(file).isDirectory() || isInContext(file.slice(ROOT.length));
    cpSync(source, destination, { recursive: true, verbatimSymlinks: true, filter });
    if (!existsSync(destination)) throw new Error(`nothing was copied from ${path}`);
  }
}
