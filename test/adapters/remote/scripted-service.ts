import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { RemotePetCatalogueOptions } from '../../../src/adapters/remote/remote-options.js';
import { RemotePetCatalogue } from '../../../src/adapters/remote/remote-pet-catalogue.js';
import { listenOnFreePort } from '../../support/listen-on-free-port.js';
import { PATIENT } from '../../support/patience.js';
import { KEY, urlOf } from './serve-catalogue.js';

/** A request as a scripted service received it. */
export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A response of a script. */
export interface ScriptedAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** How a service answers a request: a response, or a function that writes the response. */
export type Script = ScriptedAnswer | ((response: ServerResponse, request: SeenRequest) => unknown);

/** A real HTTP server that gives the responses of a test's scripts, until the test ends. */
export interface ScriptedService {
  readonly url: string;
  readonly port: number;
  /** Every request so far. */
  readonly seen: readonly SeenRequest[];
  /** A catalogue on the service. */
  catalogue(options?: Partial<RemotePetCatalogueOptions>): RemotePetCatalogue;
}

/** Starts a service that follows its scripts one after the other, and repeats the last one. */
export async function startScripted(...scripts: readonly [Script, ...Script[]]): Promise<ScriptedService> {
  const seen: SeenRequest[] = [];

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    const one = { method, url, headers, body: await text(request) };
    const script = scripts[seen.push(one) - 1] ?? scripts.at(-1);
    if (typeof script === 'function') script(response, one);
    else response.writeHead(script?.status ?? 200, script?.headers).end(script?.body ?? '[]');
  }

  const server = createServer((request, response) => {
    response.on('error', () => response.destroy());
    answer(request, response).catch(() => response.destroy());
  });
  const port = await listenOnFreePort(server);
  const url = urlOf(port);
  const catalogue = (options?: Partial<RemotePetCatalogueOptions>): RemotePetCatalogue =>
    new RemotePetCatalogue({ ...PATIENT, url, apiKey: KEY, ...options });
  return { url, port, seen, catalogue };
}
