import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';

/**
 * Makes a folder that stays, such as one of `.cache`, unless it is there. If making it fails or is cut short, there is none.
 *
 * @param make Fills the empty folder that it gets, which is then moved.
 */
export async function makeOnce(folder: string, make: (unfinished: string) => Promise<unknown>): Promise<void> {
  if (existsSync(folder)) return;
  const unfinished = `${folder}-${process.pid}`;
  try {
    await mkdir(unfinished, { recursive: true });
    await make(unfinished);
    await rename(unfinished, folder);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    // Another process may have been faster.
    if (!existsSync(folder)) throw error;
  }
}
