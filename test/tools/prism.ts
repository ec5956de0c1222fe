import { freePort } from '../deploy/proxies.js';
import { Child } from '../support/child.js';
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
