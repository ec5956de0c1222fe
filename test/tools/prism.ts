import { createServer } from 'node:http';
import { Child } from '../support/child.js';
import { listenOnFreePort } from '../support/listen-on-free-port.js';
import { npmProgram } from './tools.js';

/** A violation of the document that Prism sees in a request or its answer, which `location` begins with. */
export interface Violation {
  readonly code: string;
  readonly location: readonly string[];
  readonly message: string;
}

/** Starts Prism with these arguments, and resolves to the port of 127.0.0.1 that it listens on. It ends with the test. */
export async function startPrism(...args: readonly string[]): Promise<number> {
  const port = await freePort();
  const prism = Child.start(npmProgram('prism'), [...args, '--host', '127.0.0.1', '--port', String(port)]);
  return prism.find(() => (prism.stdout.includes('Prism is listening') ? port : undefined));
}

/** A port of 127.0.0.1 on which nothing listens. */
async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listenOnFreePort(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}
