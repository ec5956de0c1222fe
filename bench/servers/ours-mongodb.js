import process from 'node:process';
import { load } from './parts/animal-store.js';

/** Animal Store as `animal-store serve --store mongodb --log-level silent` runs it, on the database at `MONGODB_URL`. */
export async function start({ keys }) {
  const { startServer } = await load('animal-store/bootstrap');
  const server = await startServer({
    port: 0,
    store: 'mongodb',
    mongodbUrl: process.env['MONGODB_URL'],
    apiKeys: keys.map((key, i) => ({ name: `client-${i}`, key })),
    logLevel: 'silent',
  });
  return Number(new URL(server.origin).port);
}
