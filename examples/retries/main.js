import { createAnimalStore } from 'animal-store';
import { InMemoryApiKeys, InMemoryPetCatalogue } from 'animal-store/in-memory';
import { createApp } from 'animal-store/koa';
import { createHttpServer } from 'animal-store/node';
import { randomUUID } from 'node:crypto';
import { connect, createServer } from 'node:net';
import { Agent, RetryAgent } from 'undici';

const key = 'the key of the example';
const store = createAnimalStore({ catalogue: new InMemoryPetCatalogue() });
const app = createApp({ store, apiKeys: new InMemoryApiKeys([{ name: 'example', key }]) });
const server = createHttpServer(app.callback());
const { port } = await server.listen(0, '127.0.0.1');

// A bad network: each request arrives, but the first two responses are lost with their connections.
let sent = 0;
const network = createServer((client) => {
  const upstream = connect(port, '127.0.0.1');
  client.pipe(upstream).on('error', () => client.destroy());
  client.on('close', () => upstream.destroy());
  upstream.on('data', (answer) => {
    if (++sent > 2) client.write(answer);
    else client.resetAndDestroy();
  });
});
await new Promise((resolve) => network.listen(0, '127.0.0.1', () => resolve(undefined)));
const address = /** @type {import('node:net').AddressInfo} */ (network.address());

// By default, RetryAgent does not repeat a POST, because only the caller knows whether its POST is safe to repeat. These are: each
// has an Idempotency-Key. The agent waits longer each time, or as long as Retry-After says, and gives up after `maxRetries`. Its
// default list of statuses lacks 408, and contains 500, which may come again each time.
const statusCodes = [408, 425, 429, 502, 503, 504];
const retrying = new RetryAgent(new Agent(), { methods: ['POST'], statusCodes, minTimeout: 50, maxRetries: 5 });

/** @param {{ name: string, categoryId: number }} pet */
async function createPet(pet) {
  const { statusCode, headers, body } = await retrying.request({
    origin: `http://127.0.0.1:${address.port}`,
    path: '/v1/pets',
    method: 'POST',
    headers: {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      // One key for each animal, made before the first attempt. Every attempt sends it.
      'Idempotency-Key': randomUUID(),
    },
    // A string can be sent again, unlike a stream.
    body: JSON.stringify(pet),
  });
  console.log(`${statusCode} ${await body.text()}`);
  console.log(`Location: ${headers['location']}, Idempotency-Replayed: ${headers['idempotency-replayed']}`);
}

await createPet({ name: 'Rex', categoryId: 7 });
console.log(`${sent} answers, 2 of them lost; ${(await store.listPets()).pets.length} animal`);

await retrying.close();
network.close();
await server.drain(100);
