import { createFetchHandler } from '../../src/adapters/http/fetch/create-fetch-handler.js';
import type { HttpInterfaceOptions } from '../../src/adapters/http/http-interface-options.js';
import type { Log } from '../../src/adapters/http/pipeline/log.js';
import { reference } from '../../src/adapters/http/reference/page.js';
import { InMemoryApiKeys } from '../../src/adapters/in-memory/in-memory-api-keys.js';
import { InMemoryPetCatalogue } from '../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { createAnimalStore } from '../../src/application/animal-store.js';
import type { PetCatalogue } from '../../src/domain/pet-catalogue.js';

/** The API key that an interface of {@link inMemory} accepts. */
export const KEY = 'a-key-of-sixteen.';

/** The body of a valid creation. */
export const REX = '{"name":"Rex","categoryId":7}';

/** A log that keeps nothing, for requests that fail on purpose. */
export const SILENT: Log = { warn: () => undefined, error: () => undefined };

/** Options of an interface, which may have another catalogue than an empty one in memory. */
export interface InMemoryOptions extends Partial<HttpInterfaceOptions> {
  readonly catalogue?: PetCatalogue;
}

/** The options of an interface on a store in memory, with a reference, and with these besides. */
export function inMemory({
  catalogue = new InMemoryPetCatalogue(),
  ...options
}: InMemoryOptions = {}): HttpInterfaceOptions {
  const apiKeys = new InMemoryApiKeys([{ name: 'me', key: KEY }]);
  return { store: createAnimalStore({ catalogue }), apiKeys, reference, ...options };
}

/** The parts of a request to a Fetch handler other than its path. With a body, it is a POST of JSON. */
export interface Sent extends Omit<RequestInit, 'headers'> {
  /** The API key, or `null` for none. @default the one that is accepted */
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request to a Fetch handler. */
export function requestTo(path: string, { key = KEY, headers, ...init }: Sent = {}): Request {
  const fields = new Headers(key === null ? {} : { authorization: `Bearer ${key}` });
  if (init.body !== undefined) fields.set('content-type', 'application/json');
  for (const [name, value] of Object.entries(headers ?? {})) fields.set(name, value);
  const method = init.body === undefined ? 'GET' : 'POST';
  return new Request(`http://127.0.0.1${path}`, { method, duplex: 'half', ...init, headers: fields });
}

/** Makes a Fetch handler with the options of {@link inMemory}. Returns what sends it a request. */
export function fetchInMemory(options?: InMemoryOptions): (path: string, sent?: Sent) => Promise<Response> {
  const handle = createFetchHandler(inMemory(options));
  return async (path, sent) => handle(requestTo(path, sent));
}
