import { once } from 'node:events';
import { createAnimalStore } from 'animal-store';
import { InMemoryApiKeys, InMemoryPetCatalogue } from 'animal-store/in-memory';
import { createApp } from 'animal-store/koa';
import Koa from 'koa';

const store = createAnimalStore({ catalogue: new InMemoryPetCatalogue() });
await store.createPet({ name: 'Rex', categoryId: 7, status: 'available' });
await store.createPet({ name: 'Tom', categoryId: 8 });

const key = 'the key of the example';
const apiKeys = new InMemoryApiKeys([{ name: 'example', key }]);
const animals = createApp({ store, apiKeys, basePath: '/shop/v1' }).callback();

const app = new Koa();
app.use(async (ctx, next) => {
  ctx.set('X-Shop', 'corner');
  await next();
});
app.use((ctx, next) => {
  if (!ctx.path.startsWith('/shop/v1/')) return next();
  ctx.respond = false;
  return animals(ctx.req, ctx.res);
});
app.use((ctx) => {
  ctx.body = 'Welcome to the shop\n';
});

const server = app.listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());

for (const path of ['/', '/shop/v1/pets?limit=1', '/shop/v1/nowhere']) {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { Authorization: `Bearer ${key}` } });
  console.log(`${path} → ${response.status}, X-Shop: ${response.headers.get('X-Shop')}`);
  console.log(`  ${(await response.text()).trim()}`);
  if (response.headers.has('Link')) console.log(`  Link: ${response.headers.get('Link')}`);
}
server.close();
server.closeAllConnections();
