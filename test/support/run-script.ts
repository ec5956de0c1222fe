import { Child } from './child.js';

/** What a module with this text prints, in a process of its own that must end by itself with exit code 0. */
export async function outputOfScript(script: string): Promise<string> {
  const child = Child.startNode(['--input-type=module', '-e', script]);
  const { code } = await child.exited;
  if (code !== 0) throw new Error(`the script ended with ${code}:\n${child.stderr}`);
  return child.stdout;
}
