import Koa from 'koa';
import mount from 'koa-mount';
import { load } from './parts/animal-store.js';
import { apiKeysOf, openStore, SILENT } from './parts/our-store.js';

/** Animal Store mounted in another Koa application: each request passes through Koa, @koa/router and koa-mount. */
export async function start({ count, keys }) {
  const { createApp } = await load('animal-store/koa');
  const app = new Koa();
  app.use(mount('/', createApp({ store: await openStore(count), apiKeys: await apiKeysOf(keys), log: SILENT })));
  return new Promise((resolve) => {
    const server = app.listen(0, '127.0.0.1', () => resolve(server.address().port));
  });
}
