import { serve } from '@hono/node-server';
import { load } from './parts/animal-store.js';
import { apiKeysOf, openStore, SILENT } from './parts/our-store.js';

/** Animal Store as a handler of the Fetch API, behind the listener of @hono/node-server. */
export async function start({ count, keys }) {
  const { createFetchHandler } = await load('animal-store/fetch');
  const fetch = createFetchHandler({ store: await openStore(count), apiKeys: await apiKeysOf(keys), log: SILENT });
  return new Promise((resolve) => {
    serve({ fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => resolve(port));
  });
}
