import { load } from './parts/animal-store.js';

/** The metrics of Animal Store, as `animal-store serve --metrics-port` serves them. */
export async function start() {
  const { startServer } = await load('animal-store/bootstrap');
  const apiKeys = [{ name: 'client', key: 'a key of sixteen.' }];
  const { metricsUrl } = await startServer({ port: 0, metricsPort: 0, logLevel: 'silent', apiKeys });
  return Number(new URL(metricsUrl).port);
}
