import { createServer } from 'node:http';
import { Child } from '../support/child.js';
import { listenOnFreePort } from '../support/listen-on-free-port.js';
import { fileOf, npmProgram, readDocument } from './tools.js';

/** A violation of the document that Prism sees in a request or its answer, which `location` begins with. */
export interface Violation {
  readonly code: string;
  readonly location: readonly string[];
  readonly message: string;
}

/** A file with the document of the service, as Prism can read it, until the test ends. */
export async function documentForPrism(): Promise<string> {
  return fileOf('openapi.json', withoutNamePattern((await readDocument()).text));
}

/** Starts Prism with these arguments, and resolves to the port of 127.0.0.1 that it listens on. It ends with the test. */
export async function startPrism(...args: readonly string[]): Promise<number> {
  const port = await freePort();
  const prism = Child.start(npmProgram('prism'), [...args, '--host', '127.0.0.1', '--port', String(port)]);
  return prism.find(() => (prism.stdout.includes('Prism is listening') ? port : undefined));
}

/**
 * Takes the pattern of a name out of the document. Prism writes what a request breaks into a header field, which cannot hold
 * the characters beyond U+00FF in the pattern. So Prism 5.14.2 ends at a name that breaks it.
 */
function withoutNamePattern(text: string): string {
  const document = JSON.parse(text) as {
    readonly components: { readonly schemas: Record<'NewPet' | 'Pet', { properties: { name: { pattern?: string } } }> };
  };
  const { NewPet, Pet } = document.components.schemas;
  delete NewPet.properties.name.pattern;
  delete Pet.properties.name.pattern;
  return JSON.stringify(document);
}

/** A port of 127.0.0.1 on which nothing listens. */
async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listenOnFreePort(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}
