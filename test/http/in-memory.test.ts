import { startCommand } from '../support/command.js';
import { declareHttpSuite, TRANSPORT } from './http-suite.js';
import { serviceOf, type Service } from './service.js';

const KEY = 'a-key-for-the-HTTP-suite';

async function start(): Promise<Service> {
  const command = await startCommand(['--log-level', 'warn'], { API_KEYS: `tests:${KEY}` });
  return serviceOf(command, command.port, KEY);
}

declareHttpSuite('HTTP with the in-memory store', start, TRANSPORT);
