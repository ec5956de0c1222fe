/**
 * A process of its own that adds animals and prints their ids, a line each: `create-many.ts <url> <count>`, the URL with
 * the database in it. It prints `ready` first, and begins when its standard input ends.
 */
import { MongoPetCatalogue } from '../../../../src/adapters/mongodb/pets/mongo-pet-catalogue.js';
import { createMongoClient } from '../../../../src/adapters/mongodb/client.js';
import { PATIENT } from '../../../support/patience.js';

const AT_ONCE = 10;
const [url = '', count = '0'] = process.argv.slice(2);
const client = await createMongoClient(url, PATIENT).connect();
const catalogue = new MongoPetCatalogue(client.db(), PATIENT);
await catalogue.init();
console.log('ready');
for await (const chunk of process.stdin) void chunk;

let left = Number(count);
const ids: bigint[] = [];
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    while (left-- > 0) ids.push((await catalogue.add({ name: `animal of ${process.pid}`, categoryId: 1n })).id);
  }),
);
console.log(ids.join('\n'));
await client.close();
