import { createHttpInterface } from '../../../src/adapters/http/http-interface.js';
import { createListener } from '../../../src/adapters/http/node/listener.js';
import { createHttpServer } from '../../../src/adapters/http/server/http-server.js';
import { options } from './handler.js';

const { port } = await createHttpServer(createListener(createHttpInterface(options))).listen(0, '127.0.0.1');
console.log(`port ${port}`);
