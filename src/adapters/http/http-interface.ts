import type { AnimalStore } from '../../application/animal-store.js';
import type { ApiKeys } from '../../domain/api-keys/api-keys.js';
import { runHandler, type AnsweredRequest } from './run-handler.js';
import { authenticate } from './guards/authenticate.js';
import { DEFAULT_BASE_PATH, isBasePath } from './base-path.js';
import { BODY_LIMIT_MAX, DEFAULT_BODY_LIMIT } from './body-limit.js';
import { allowOrigins, isCorsOrigin } from './cors.js';
import { withMaxInFlight } from './max-in-flight.js';
import { consoleLog, type Log } from './log.js';
import type { HttpHandler, Handler, HeaderAdder } from './operation.js';
import { createPet } from './operations/create-pet.js';
import { getPet } from './operations/get-pet.js';
import { livez, readyz } from './operations/health.js';
import { listPets } from './operations/list-pets.js';
import { PetTexts } from './json/pet-texts.js';
import { openApiDocument, openApiJson, thisService, type ApiServer } from './operations/openapi.js';
import { reference } from './operations/reference.js';
import { rateLimit, type RateLimiter } from './guards/rate-limit.js';
import { RouteIndex } from './route-index.js';
import { isUnder } from './target.js';
import { refuseTarget, unrouted } from './operations/unrouted.js';

/** Options of {@link createHttpInterface}. */
export interface HttpInterfaceOptions {
  /** The animal store that it serves. */
  readonly store: AnimalStore;
  /** The API keys that it accepts. */
  readonly apiKeys: ApiKeys;
  /**
   * The path above every operation: segments of `A-Za-z0-9._~-`, the last one `v1`.
   * @default '/v1'
   */
  readonly basePath?: string;
  /**
   * The greatest size of a request's body, in bytes: an integer from 1 to 2^28.
   * @default 65536
   */
  readonly bodyLimit?: number;
  /**
   * How many requests may wait for the store at once: a positive integer. A further one is answered with 503 `overloaded`.
   * @default no limit
   */
  readonly maxInFlight?: number | undefined;
  /** Limits the requests of each key. A request beyond the limit is answered with 429. @default no limit */
  readonly rateLimiter?: RateLimiter | undefined;
  /**
   * The origins whose pages may call the interface from a browser (CORS), each such as `https://shop.example`; `*` allows
   * all.
   * @default none
   */
  readonly corsOrigins?: readonly string[];
  /**
   * Whether the service is ready for requests, for `/readyz`.
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
  /** Called for each request when its answer is ready, for a log and for metrics. It must not throw. @default none */
  readonly onAnswered?: ((answered: AnsweredRequest) => void) | undefined;
}

/** A method and a path that the interface answers. `HEAD` is answered wherever `GET` is. */
export interface Route {
  readonly method: 'GET' | 'POST';
  /** The path. A last segment `:name` stands for any non-empty segment. */
  readonly path: string;
  /** Answers a request for this method and path. */
  readonly answer: HttpHandler;
}

/** The whole HTTP interface of an animal store: give it requests, send its answers. */
export interface HttpInterface {
  /** Every route, for a framework's own router. */
  readonly routes: readonly Route[];
  /** Answers a request that matches none of the routes. */
  readonly answerUnrouted: HttpHandler;
  /** Answers a request whose target is not a path: `parseTarget` returned `undefined`. */
  readonly answerBadTarget: HttpHandler;
  /** Finds the route of any request, and answers it. For transports without a router of their own. */
  readonly answer: HttpHandler;
}

type CheckedOptions = Required<Pick<HttpInterfaceOptions, 'basePath' | 'bodyLimit' | 'corsOrigins'>> &
  Pick<HttpInterfaceOptions, 'maxInFlight'>;

/**
 * Makes the HTTP interface of an animal store, for a transport to serve.
 *
 * @throws TypeError for a base path, a limit or an origin that is not as the options say.
 */
export function createHttpInterface(options: HttpInterfaceOptions): HttpInterface {
  const { basePath = DEFAULT_BASE_PATH, bodyLimit = DEFAULT_BODY_LIMIT, corsOrigins = [] } = options;
  const { servers = [thisService(basePath)], isReady = () => true } = options;
  const { maxInFlight, rateLimiter, log = consoleLog, onAnswered } = options;
  refuseInvalid({ basePath, bodyLimit, corsOrigins, maxInFlight });

  const { store, apiKeys } = maxInFlight === undefined ? options : withMaxInFlight(options, maxInFlight);
  const guards = [authenticate(apiKeys), ...(rateLimiter === undefined ? [] : [rateLimit(rateLimiter)])];

  const texts = new PetTexts();
  const operations = [
    listPets(store, basePath, texts),
    createPet(store, basePath, bodyLimit),
    getPet(store, basePath, texts),
  ];
  const document = JSON.stringify(openApiDocument(operations, servers));
  const outside = [livez, readyz(isReady), openApiJson(document), ...reference(document, servers)];
  const cors = corsOrigins.length === 0 ? undefined : allowOrigins(corsOrigins, [...operations, ...outside]);

  const routes: readonly Route[] = [
    ...operations.map(({ method, path, handle, addHeaders }) => {
      const fullPath = basePath + path;
      return { method, path: fullPath, answer: answerProtected(handle, fullPath, addHeaders) };
    }),
    ...outside.map(({ method, path, handle }) => ({ method, path, answer: answerPublic(handle, path) })),
  ];
  const index = new RouteIndex<HttpHandler>();
  for (const { method, path, answer } of routes) {
    index.add(method, path, answer);
    if (method === 'GET') index.add('HEAD', path, answer);
  }

  const handleUnrouted = unrouted((path) => index.methodsOf(path));
  const unroutedProtected = answerProtected(handleUnrouted);
  const unroutedPublic = answerPublic(handleUnrouted);
  const preflight = cors && { isAllowed: cors.allowsPreflight, answer: answerPublic(() => cors.preflightAnswer) };
  const answerUnrouted: HttpHandler = (request) => {
    if (preflight?.isAllowed(request)) return preflight.answer(request);
    return isUnder(basePath, request.path) ? unroutedProtected(request) : unroutedPublic(request);
  };

  return {
    routes,
    answerUnrouted,
    answerBadTarget: answerPublic(refuseTarget),
    answer: (request) => (index.find(request.method, request.path) ?? answerUnrouted)(request),
  };

  /** Runs a handler under the base path: only for requests with a valid key, within the rate limit of the key. */
  function answerProtected(handle: Handler, route?: string, addHeaders?: HeaderAdder): HttpHandler {
    const headerAdders = [forbidCaching, addHeaders, cors?.addHeaders].filter((each) => each !== undefined);
    const routeOptions = { guards, headerAdders, route, log, onAnswered };
    return (request) => runHandler(request, handle, routeOptions);
  }

  /** Runs a handler for all other requests, without a key. */
  function answerPublic(handle: Handler, route?: string): HttpHandler {
    const headerAdders = cors === undefined ? [] : [cors.addHeaders];
    const routeOptions = { guards: [], headerAdders, route, log, onAnswered };
    return (request) => runHandler(request, handle, routeOptions);
  }
}

/** Adds `Cache-Control: no-store`, to every answer under the base path. */
const forbidCaching: HeaderAdder = (headers) => {
  headers.push('Cache-Control', 'no-store');
};

function refuseInvalid({ basePath, bodyLimit, corsOrigins, maxInFlight }: CheckedOptions): void {
  if (!isBasePath(basePath)) throw new TypeError('basePath must be segments of A-Za-z0-9._~-, the last one v1');
  if (!Number.isSafeInteger(bodyLimit) || bodyLimit < 1 || bodyLimit > BODY_LIMIT_MAX)
    throw new TypeError(`bodyLimit must be an integer from 1 to ${BODY_LIMIT_MAX}`);
  if (maxInFlight !== undefined && (!Number.isSafeInteger(maxInFlight) || maxInFlight < 1))
    throw new TypeError('maxInFlight must be a positive integer');
  if (!corsOrigins.every(isCorsOrigin))
    throw new TypeError('corsOrigins must be origins such as https://shop.example, without a slash at the end, or *');
}
