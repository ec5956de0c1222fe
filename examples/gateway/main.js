/**
 * A gateway: an animal store whose store is another animal store. Clients have keys of the gateway; only the gateway has the
 * key of the service behind it.
 */
import { remoteModule, startServer } from 'animal-store/bootstrap';

const quiet = /** @type {const} */ ({ port: 0, logLevel: 'warn' });

// The service behind the gateway, which runs elsewhere in practice.
const service = await startServer(quiet);

const gateway = await startServer({
  ...quiet,
  store: remoteModule({ url: `${service.origin}${service.basePath}`, apiKey: service.apiKey ?? '' }),
  apiKeys: [{ name: 'front-end', key: 'the-key-of-the-front-end' }],
});

/**
 * @param {string} path
 * @param {RequestInit} [options]
 */
async function call(path, options) {
  const headers = { Authorization: 'Bearer the-key-of-the-front-end', 'Content-Type': 'application/json' };
  const response = await fetch(`${gateway.origin}${path}`, { headers, ...options });
  console.log(`${path} → ${response.status} ${await response.text()}`);
}

await call('/v1/pets', { method: 'POST', body: '{"name":"Rex","categoryId":9223372036854775807}' });
await call('/v1/pets');

// The gateway is ready as long as the service behind it is.
const { status } = await fetch(`${gateway.origin}/readyz`);
console.log(`/readyz → ${status}`);

await gateway.close();
await service.close();
