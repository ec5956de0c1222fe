import { Child } from './child.js';

/** Runs a module with this text in a new process, which must end by itself with exit code 0. Returns its output. */
export async function outputOfScript(script: string): Promise<string> {
  const child = Child.startNode(['--input-type=module', '-e', script]);
  const { code } = await child.exited;
  if (code !== 0) throw new Error(`the script ended with ${code}:\n${child.stderr}`);
  return child.stdout;
}
