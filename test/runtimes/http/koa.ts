import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createApp } from '../../../src/adapters/http/koa/create-app.js';
import { options } from './handler.js';

const server = createApp(options).listen(0, '127.0.0.1');
await once(server, 'listening');
console.log(`port ${(server.address() as AddressInfo).port}`);
