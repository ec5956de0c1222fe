import { getRequestListener } from '@hono/node-server';
import { createHttpServer } from '../../../src/adapters/http/server/http-server.js';
import { handler } from './handler.js';

const { port } = await createHttpServer(getRequestListener(handler)).listen(0, '127.0.0.1');
console.log(`port ${port}`);
