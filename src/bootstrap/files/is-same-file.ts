import { realpath } from 'node:fs/promises';

/** Whether two paths lead to one file that exists. */
export async function isSameFile(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all([one, other].map(async (path) => realpath(path).catch(() => undefined)));
  return first !== undefined && first === second;
}
