import { fileURLToPath } from 'node:url';
import { ANIMALS } from '../animals.js';
import { CLIENT_CORE } from '../cores.js';
import { startScript } from '../server-process.js';

const PREPARED_MONGODB = fileURLToPath(new URL('./prepared-mongodb.js', import.meta.url));

/** Starts a MongoDB server of prepared replies, with 10,000 animals or so many, in a process of its own. */
export async function openPreparedMongodb(animals = ANIMALS) {
  const { line: url, stop } = await startScript([PREPARED_MONGODB, String(animals)], CLIENT_CORE);
  return { url, stop };
}
