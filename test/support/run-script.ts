import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** What a module of this text prints, in a process of its own that ends by itself, and within 20 seconds. */
export async function outputOfScript(script: string): Promise<string> {
  const args = ['--import', 'tsx', '--input-type=module', '-e', script];
  return (await run(process.execPath, args, { timeout: 20_000 })).stdout;
}
