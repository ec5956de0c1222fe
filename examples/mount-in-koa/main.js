import { createAnimalStore } from 'animal-store';
import { InMemoryApiKeys, InMemoryPetCatalogue } from 'animal-store/in-memory';
import { createApp } from 'animal-store/koa';
import { createHttpServer } from 'animal-store/node';
import Koa from 'koa';
import mount from 'koa-mount';

const store = createAnimalStore({ catalogue: new InMemoryPetCatalogue() });
await store.createPet({ name: 'Rex', categoryId: 7, status: 'available' });
await store.createPet({ name: 'Tom', categoryId: 8 });

const key = 'the key of the example';
const apiKeys = new InMemoryApiKeys([{ name: 'example', key }]);

const app = new Koa();
app.use(async (ctx, next) => {
  await next();
  ctx.set('X-Shop', 'corner');
});
app.use(mount('/shop', createApp({ store, apiKeys })));
app.use((ctx) => {
  ctx.body = 'Welcome to the shop\n';
});

// Answers malformed requests too, and can be drained; app.listen() would do neither.
const server = createHttpServer(app.callback());
const { port } = await server.listen(0, '127.0.0.1');

for (const path of ['/', '/shop/v1/pets?limit=1', '/shop/v1/nowhere']) {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { Authorization: `Bearer ${key}` } });
  console.log(`${path} → ${response.status}, X-Shop: ${response.headers.get('X-Shop')}`);
  console.log(`  ${(await response.text()).trim()}`);
  if (response.headers.has('Link')) console.log(`  Link: ${response.headers.get('Link')}`);
}
await server.drain(100);
