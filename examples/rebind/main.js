// Replaces parts of the server, each with one line: the storage, the catalogue, the keys, the transport.
import { getRequestListener } from '@hono/node-server';
import { createContainer, httpModule, inMemoryModule, koaModule, mongodbModule, TOKENS } from 'animal-store/bootstrap';
import { createFetchHandler } from 'animal-store/fetch';
import { InMemoryApiKeys, InMemoryPetCatalogue } from 'animal-store/in-memory';
import { createHttpServer } from 'animal-store/node';

const OURS = { name: 'ours', key: 'the-key-of-the-server' };
const THEIRS = { name: 'theirs', key: 'the-key-of-somebody-else' };

// Each storage has a module.
const url = process.env['MONGODB_URL'];
const storage = url ? mongodbModule({ url }) : inMemoryModule([]);

/** The server without changes. It accepts `moreKeys` in addition to the keys of the storage. */
const makeContainer = () => createContainer(storage, httpModule({ moreKeys: [OURS] }), koaModule());

const plain = await makeContainer();
await show('as it comes', plain, OURS);

const stocked = new InMemoryPetCatalogue();
await stocked.add({ name: 'Rex', categoryId: 7n });
const withCatalogue = await makeContainer();
withCatalogue.rebind(TOKENS.petCatalogue).toConstantValue(stocked);
await show('another catalogue', withCatalogue, OURS);

const withKeys = await makeContainer();
withKeys.rebind(TOKENS.apiKeys).toConstantValue(new InMemoryApiKeys([THEIRS]));
await show('other keys', withKeys, THEIRS);

const withTransport = await makeContainer();
withTransport
  .rebind(TOKENS.requestHandler)
  .toResolvedValue((options) => getRequestListener(createFetchHandler(options)), [TOKENS.httpOptions]);
await show('another transport', withTransport, OURS);

/**
 * Lists the animals of a server, prints the response, and closes everything.
 *
 * @param {string} what
 * @param {import('inversify').Container} container
 * @param {{ key: string }} credentials
 */
async function show(what, container, { key }) {
  const server = createHttpServer(await container.getAsync(TOKENS.requestHandler));
  const { port } = await server.listen(0, '127.0.0.1');
  const headers = { Authorization: `Bearer ${key}`, Connection: 'close' };
  const response = await fetch(`http://127.0.0.1:${port}/v1/pets`, { headers });
  console.log(`${what}: ${response.status} ${await response.text()}`);
  await server.drain(100);
  await container.unbindAllAsync();
}
