import { lstat, open, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Writable } from 'node:stream';

/**
 * Writes a text to a stream, part by part, and waits until each is taken.
 *
 * Rejects with an error that names it if it is closed or full.
 */
export async function writeTo(stream: Writable, name: string, parts: AsyncIterable<string>): Promise<void> {
  for await (const part of parts) {
    try {
      await new Promise<void>((resolve, reject) => {
        stream.write(part, (error) => (error ? reject(error) : resolve()));
      });
    } catch (error) {
      throw new Error(`${name} could not be written to its end`, { cause: error });
    }
  }
}

/**
 * Writes a file that only its owner may read. It is written beside its place, made durable, and then moved there: a file with this
 * name is always whole. A file that is there already is replaced.
 *
 * Rejects with an error that names it if it cannot be written, or if something else than a regular file is in its place.
 */
export async function writeFileWhole(path: string, parts: AsyncIterable<string>): Promise<void> {
  const target = await realpath(path).catch(() => path);
  const found = await lstat(target).catch(() => undefined);
  if (found !== undefined && !found.isFile()) throw new Error(`${path} cannot be written: it is not a regular file`);
  const partial = join(dirname(target), `.${basename(target)}.${process.pid}.partial`);
  try {
    const handle = await about(path, async () => open(partial, 'w', 0o600));
    try {
      for await (const part of parts) await about(path, async () => handle.writeFile(part));
      await about(path, async () => handle.sync());
    } finally {
      await handle.close();
    }
    await about(path, async () => rename(partial, target));
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

/** The same result. An error gets a message that names the file, and becomes its cause. */
async function about<T>(path: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw new Error(`${path} cannot be written`, { cause: error });
  }
}
