/**
 * A process of its own that creates animals, each under a text, and repeats each until it is answered: `create-once.ts <url>
 * <creations>`, the URL with the database in it, the creations as JSON. It prints an answer a line, and to its standard error
 * why an attempt got none.
 */
import { createMongoClient } from '../../../src/adapters/mongodb/client.js';
import { MongoPetCatalogue } from '../../../src/adapters/mongodb/mongo-pet-catalogue.js';
import { isAnimalStoreError } from '../../../src/domain/errors.js';
import type { OnceAnswer, OnceCreation } from './exactly-once.js';

const DEADLINE_MS = 4000;
/** How long the server may be gone at first, in milliseconds. */
const CONNECT_MS = 120_000;
const AT_ONCE = 12;

const [url = '', creations = '[]'] = process.argv.slice(2);
const client = createMongoClient(url, { deadlineMs: DEADLINE_MS });
// The server may be gone at first, and the driver never connects a client again by itself whose first connection failed.
for (const end = performance.now() + CONNECT_MS; ;) {
  try {
    await client.connect();
    break;
  } catch (error) {
    if (performance.now() > end) throw error;
  }
}
const catalogue = new MongoPetCatalogue(client.db(), { deadlineMs: DEADLINE_MS });
const left = JSON.parse(creations) as OnceCreation[];

async function send({ key, variant }: OnceCreation): Promise<OnceAnswer> {
  for (let attempts = 1; ; attempts++) {
    try {
      const newPet = { name: `animal ${key}`, categoryId: BigInt(variant) };
      const { pet, replayed } = await catalogue.addOnce(newPet, `text ${key}`);
      return { key, variant, attempts, id: String(pet.id), replayed };
    } catch (error) {
      if (!isAnimalStoreError(error)) throw error;
      if (error.code === 'idempotency_key_reused') return { key, variant, attempts };
      if (error.code !== 'store_unavailable') throw error;
      console.error(`${new Date().toISOString()} attempt ${attempts} of key ${key}: ${String(error.cause)}`);
    }
  }
}

await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift())
      console.log(JSON.stringify(await send(next)));
  }),
);
await client.close();
