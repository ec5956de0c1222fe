import { InvalidArgumentError } from 'commander';
import { isUtf8 } from 'node:buffer';
import { readFileSync, statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { text, type Parse } from './values.js';

/** Must run before anything reads a variable. Variables that are set win; empty ones are not set. Skips what {@link envFile} refuses. */
export function loadEnvironment(args: readonly string[]): void {
  const options = { 'env-file': { type: 'string', multiple: true } } as const;
  const { 'env-file': files = [] } = parseArgs({ args: [...args], options, strict: false }).values;
  deleteEmptyVariables();
  for (const file of files) {
    if (typeof file !== 'string' || faultOf(file) !== undefined) continue;
    process.loadEnvFile(file);
    deleteEmptyVariables();
  }
}

function deleteEmptyVariables(): void {
  for (const [name, value] of Object.entries(process.env)) if (value === '') Reflect.deleteProperty(process.env, name);
}

export const envFile: Parse<string> = (value) => {
  const fault = faultOf(text(value));
  if (fault !== undefined) throw new InvalidArgumentError(fault);
  return value;
};

/** Why Node would misread a file of variables. */
function faultOf(file: string): string | undefined {
  try {
    if (!statSync(file).isFile()) return 'It must be a regular file.';
    const content = readFileSync(file);
    if (content.indexOf('\uFEFF') === 0)
      return 'The file begins with a byte order mark, which would hide its first variable.';
    return isUtf8(content) && !content.includes(0) ? undefined : 'The file must be UTF-8.';
  } catch (error) {
    return `The file cannot be read: ${(error as NodeJS.ErrnoException).code}.`;
  }
}
