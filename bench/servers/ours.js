import { load } from './parts/animal-store.js';
import { apiKeysOf, openStore, SILENT } from './parts/our-store.js';

/**
 * Animal Store as `animal-store serve` runs it: its Koa application is the whole, and hands each request to its own listener,
 * so that none passes through Koa.
 */
export async function start({ count, keys }) {
  const { createApp } = await load('animal-store/koa');
  const { createHttpServer } = await load('animal-store/node');
  const app = createApp({ store: await openStore(count), apiKeys: await apiKeysOf(keys), log: SILENT });
  const { port } = await createHttpServer(app.callback()).listen(0, '127.0.0.1');
  return port;
}
