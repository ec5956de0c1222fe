import { startCommand } from '../support/command.js';
import { declareHttpSuite, SERVER, TRANSPORT } from './http-suite.js';
import { serviceOf, type Service } from './service.js';

const KEY = 'a-key-for-the-HTTP-suite';

async function start(...flags: string[]): Promise<Service> {
  const command = await startCommand(['--log-level', 'warn', ...flags], { API_KEYS: `tests:${KEY}` });
  return serviceOf(command, KEY, true);
}

declareHttpSuite('HTTP with the in-memory store', async () => start(), [...TRANSPORT, ...SERVER]);

declareHttpSuite(
  'HTTP with the in-memory store, below a longer base path',
  async () => start('--base-url', 'https://animals.example/store/v1'),
  TRANSPORT,
);
