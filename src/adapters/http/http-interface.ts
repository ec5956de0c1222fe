import type { AnimalStore } from '../../application/animal-store.js';
import type { ApiKeys } from '../../domain/api-keys.js';
import { authenticated } from './authenticate.js';
import { isBasePath, isUnder } from './base-path.js';
import { consoleLog, type Log } from './log.js';
import { answering, type AddedHeaders, type Answering, type Operation } from './operation.js';
import { createPet } from './operations/create-pet.js';
import { getPet } from './operations/get-pet.js';
import { livez, readyz } from './operations/health.js';
import { listPets } from './operations/list-pets.js';
import { openApiJson, type ApiServer } from './operations/openapi.js';
import { reference } from './operations/reference.js';
import { RouteIndex } from './route-index.js';
import { refuseTarget, unrouted } from './unrouted.js';

/** What an HTTP interface needs. */
export interface HttpInterfaceOptions {
  /** The animal store that it serves. */
  readonly store: AnimalStore;
  /** The API keys that it accepts. */
  readonly apiKeys: ApiKeys;
  /**
   * The path that every operation is under: segments of `A-Za-z0-9._~-`, the last one `v1`.
   * @default '/v1'
   */
  readonly basePath?: string;
  /**
   * The greatest size of a request's body, in bytes: an integer from 1 to 2^28.
   * @default 65536
   */
  readonly bodyLimit?: number;
  /**
   * Whether the service is ready for requests, as `/readyz` tells.
   * @default always
   */
  readonly isReady?: () => boolean | Promise<boolean>;
  /**
   * The addresses that the OpenAPI document lists.
   * @default the base path, relative to the document, so that "Try it out" works under any name
   */
  readonly servers?: readonly ApiServer[];
  /** @default warnings and errors on the console */
  readonly log?: Log;
}

/** A method and a path that the interface answers. `HEAD` is answered wherever `GET` is. */
export interface Route {
  readonly method: 'GET' | 'POST';
  /** The path, in which a last segment `:name` stands for any segment that is not empty. */
  readonly path: string;
  /** Answers a request for this method and path. */
  readonly answer: Answering;
}

/** The whole HTTP interface of an animal store: give it requests, send its answers. */
export interface HttpInterface {
  /** Every route, to be declared on a framework's own router. */
  readonly routes: readonly Route[];
  /** Answers a request that matches none of the routes. */
  readonly answerUnrouted: Answering;
  /** Answers a request whose target is not a path: `parseTarget` returned `undefined`. */
  readonly answerBadTarget: Answering;
  /** Answers any request: finds its route first. For transports without a router of their own. */
  readonly answer: Answering;
}

/** The header fields of every answer under the base path. */
const UNCACHED = ['Cache-Control', 'no-store'] as const;

/**
 * Makes the HTTP interface of an animal store, for a transport to serve.
 *
 * @throws TypeError for a base path or a body limit that is not as the options say.
 */
export function createHttpInterface({
  store,
  apiKeys,
  basePath = '/v1',
  bodyLimit = 65_536,
  isReady = () => true,
  servers = [{ url: basePath.slice(1), description: 'This service' }],
  log = consoleLog,
}: HttpInterfaceOptions): HttpInterface {
  if (!isBasePath(basePath)) throw new TypeError('basePath must be segments of A-Za-z0-9._~-, the last one v1');
  if (!Number.isSafeInteger(bodyLimit) || bodyLimit < 1 || bodyLimit > 2 ** 28)
    throw new TypeError('bodyLimit must be an integer from 1 to 268435456');

  const operations = [listPets(store, basePath), createPet(store, basePath, bodyLimit), getPet(store, basePath)];
  const outside = [livez, readyz(isReady), openApiJson(operations, servers), ...reference(servers)];

  const routes: readonly Route[] = [...operations.map(underBasePath), ...outside.map(besideBasePath)];
  const index = new RouteIndex<Answering>();
  for (const { method, path, answer } of routes) {
    index.add(method, path, answer);
    if (method === 'GET') index.add('HEAD', path, answer);
  }

  const handleUnrouted = unrouted((path) => index.methodsOf(path));
  const unroutedUnder = answering(log, authenticated(apiKeys, handleUnrouted), () => UNCACHED);
  const unroutedBeside = answering(log, handleUnrouted);
  const answerUnrouted: Answering = (request) =>
    isUnder(basePath, request.path) ? unroutedUnder(request) : unroutedBeside(request);

  return {
    routes,
    answerUnrouted,
    answerBadTarget: answering(log, refuseTarget),
    answer: (request) => (index.find(request.method, request.path) ?? answerUnrouted)(request),
  };

  function underBasePath({ method, path, handle, addedHeaders }: Operation): Route {
    const added: AddedHeaders =
      addedHeaders === undefined
        ? () => UNCACHED
        : (request, status) => [...UNCACHED, ...addedHeaders(request, status)];
    return { method, path: basePath + path, answer: answering(log, authenticated(apiKeys, handle), added) };
  }

  function besideBasePath({ method, path, handle, addedHeaders }: Operation): Route {
    return { method, path, answer: answering(log, handle, addedHeaders) };
  }
}
