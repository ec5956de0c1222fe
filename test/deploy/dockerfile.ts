import { Copy, DockerfileParser } from 'dockerfile-ast';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
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

/** The text of the only instruction of the image with this keyword. Throws if there is none, or more than one. */
export function textOf(keyword: string): string {
  const [instruction, ...others] = STAGES.get('image')?.filter((each) => each.keyword === keyword) ?? [];
  if (instruction === undefined || others.length > 0) throw new Error(`the image has not one ${keyword}`);
  return instruction.text;
}

/** The words of an instruction of the image in exec form, `["node", "a.js"]`. Throws for the shell form. */
export function wordsOf(keyword: string): readonly string[] {
  return JSON.parse(textOf(keyword).replace(/^CMD /, '')) as string[];
}

/** The variables that the image sets. */
export function imageVariables(): Record<string, string> {
  const image = STAGES.get('image') ?? [];
  return Object.fromEntries(image.filter(({ keyword }) => keyword === 'ENV').map(({ text }) => text.split('=', 2)));
}
