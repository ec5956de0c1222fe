import { allowOrigins } from './cors.js';
import { ERRORS, HttpError, methodNotAllowed } from './errors.js';
import { authenticate } from './guards/authenticate.js';
import { rateLimit } from './guards/rate-limit.js';
import { checkedOptions, type HttpInterfaceOptions } from './http-interface-options.js';
import { PetJsonCache } from './json/pet-json-cache.js';
import { withMaxInFlight } from './max-in-flight.js';
import type { Guard, Handler, HeaderAdder, HttpHandler, Operation } from './operation.js';
import { createPet } from './operations/create-pet.js';
import { getPet } from './operations/get-pet.js';
import { livez, readyz } from './operations/health.js';
import { listPets } from './operations/list-pets.js';
import { openApiDocument, openApiJson } from './reference/openapi.js';
import { RouteIndex, type Route } from './route-index.js';
import { runHandler } from './run-handler.js';
import { isUnder } from './target.js';

/** The HTTP interface of an animal store: takes requests and returns the answers to send. */
export interface HttpInterface {
  /** Every route, for a framework's own router. */
  readonly routes: readonly Route[];
  /** Answers a request that matches no route. */
  readonly answerUnrouted: HttpHandler;
  /** Answers a request whose target is not a path: `parseTarget` returned `undefined`. */
  readonly answerBadTarget: HttpHandler;
  /** Finds the route of any request, and answers it. For transports without their own router. */
  readonly answer: HttpHandler;
}

/**
 * Creates the HTTP interface of an animal store, for a transport to serve.
 *
 * @throws TypeError for an invalid option: a base path, a limit or an origin.
 */
export function createHttpInterface(options: HttpInterfaceOptions): HttpInterface {
  const { basePath, bodyLimit, corsOrigins, servers, isReady, log } = checkedOptions(options);
  const { maxInFlight, rateLimiter, onResponse, trustProxy, reference } = options;
  const { store, apiKeys } = maxInFlight === undefined ? options : withMaxInFlight(options, maxInFlight);
  const texts = new PetJsonCache();

  // Under the base path, for requests with a valid API key:
  const protectedOperations = [
    listPets(store, basePath, texts),
    createPet(store, basePath, bodyLimit),
    getPet(store, basePath, texts),
  ];
  const document = JSON.stringify(openApiDocument(protectedOperations, servers));
  // Outside it, without a key:
  const publicOperations = [livez, readyz(isReady), openApiJson(document), ...(reference?.(servers) ?? [])];

  const cors = corsOrigins.length === 0 ? undefined : allowOrigins(corsOrigins);

  // The guards that a request must pass, in this order:
  const withKey = [authenticate(apiKeys), ...(rateLimiter === undefined ? [] : [rateLimit(rateLimiter)])];
  const forAnyone: readonly Guard[] = [];

  const routes: readonly Route[] = [
    ...protectedOperations.map((operation) => routeOf(operation, basePath, withKey)),
    ...publicOperations.map((operation) => routeOf(operation, '', forAnyone)),
  ];
  const index = new RouteIndex(routes);

  // Requests that match no route: a preflight, or one that is refused, under the base path only if it has a valid API key.
  const handleUnrouted: Handler = ({ request }) => {
    const allow = index.methodsOf(request.path).join(', ');
    if (allow === '') throw new HttpError('route_not_found', ERRORS.route_not_found.message);
    throw methodNotAllowed(allow);
  };
  const unroutedWithKey = handlerOf(handleUnrouted, withKey);
  const unroutedForAnyone = handlerOf(handleUnrouted, forAnyone);
  const preflight = cors && {
    isAllowed: cors.allowsPreflight,
    answer: handlerOf(({ request }) => cors.preflightAnswer(request, index.methodsOf(request.path)), forAnyone),
  };
  const answerUnrouted: HttpHandler = (request) => {
    if (preflight?.isAllowed(request)) return preflight.answer(request);
    return isUnder(basePath, request.path) ? unroutedWithKey(request) : unroutedForAnyone(request);
  };

  return {
    routes,
    answerUnrouted,
    answerBadTarget: handlerOf(refuseTarget, forAnyone),
    answer: (request) => (index.find(request.method, request.path) ?? answerUnrouted)(request),
  };

  function routeOf({ method, path, handle, addHeaders }: Operation, base: string, guards: readonly Guard[]): Route {
    const route = base + path;
    return { method, path: route, answer: handlerOf(handle, guards, route, addHeaders) };
  }

  function handlerOf(handle: Handler, guards: readonly Guard[], route?: string, addHeaders?: HeaderAdder): HttpHandler {
    const headerAdders = [addHeaders, cors?.addHeaders].filter((each) => each !== undefined);
    const routeOptions = { guards, headerAdders, route, log, onResponse, trustProxy };
    return (request) => runHandler(request, handle, routeOptions);
  }
}

/** Answers requests whose target is neither a path nor an absolute URL of one. */
const refuseTarget: Handler = () => {
  throw new HttpError('bad_request', 'the request target must be a path, with or without a query');
};
