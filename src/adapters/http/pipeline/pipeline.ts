import type { Principal } from '../../../domain/api-keys/api-keys.js';
import { reasonOf } from '../../../domain/call-options.js';
import { readBody } from './body.js';
import type { Cors } from './cors.js';
import { ERRORS, HttpError, methodNotAllowed, ROUTE_NOT_FOUND, TRAILING_SLASH } from './errors.js';
import { failureResponse } from './failure.js';
import { requestIdOf } from './header-fields.js';
import type { HttpRequest } from './http-request.js';
import { completeHeaders, type HttpResponse, type OperationResponse } from './http-response.js';
import { attempt, type Log } from './log.js';
import type { Guard, Operation } from './operation.js';
import { clientAddressOf, type ProxyTrust, type ResponseLog } from './response-log.js';
import { RouteIndex } from './route-index.js';
import { isUnder, parseTarget } from './target.js';

/** Answers a request; never rejects. */
export type HttpHandler = (request: HttpRequest) => Promise<HttpResponse>;

/** A method and a path that the interface answers. `HEAD` is answered wherever `GET` is. */
export interface Route {
  readonly method: 'GET' | 'POST';
  /** The path. A last segment `:name` stands for any non-empty segment. */
  readonly path: string;
  /** Answers a request for this method and path. */
  readonly respond: HttpHandler;
}

/** The HTTP interface of an animal store: takes requests and returns the responses to send. */
export interface HttpInterface {
  /** Every route, for a framework's own router. */
  readonly routes: readonly Route[];
  /** Answers any request, also one that matches no route. */
  readonly respond: HttpHandler;
}

interface PipelineOptions {
  /** Under the base path. */
  readonly protectedOperations: readonly Operation[];
  /** Outside it, without a key. */
  readonly publicOperations: readonly Operation[];
  readonly basePath: string;
  /** A request under the base path must pass these, in this order. */
  readonly guards: readonly Guard[];
  readonly cors: Cors | undefined;
  readonly bodyLimit: number;
  readonly maxInFlight: number;
  readonly log: Log;
  readonly onResponse: ((response: ResponseLog) => unknown) | undefined;
  readonly trustProxy: ProxyTrust | undefined;
}

const NO_BODY: Uint8Array = new Uint8Array();

/** With its whole path. */
interface Served extends Operation {
  readonly isProtected: boolean;
}

const BAD_TARGET = new HttpError('bad_request', 'the request target must be a path, with or without a query');
const OVERLOADED = new HttpError('overloaded', ERRORS.overloaded.message, ['Retry-After', '1'], 'in_flight');

/** No one receives it, but logs and metrics show its status, as in nginx. */
const clientLeft = (): OperationResponse => ({ status: 499, headers: [], body: '' });

/**
 * The steps of a request, in this order. Each refuses it by throwing an `HttpError`, of which `failure.ts` makes the response.
 *
 * 1. Split the target (`target.ts`), find the route (`route-index.ts`), and answer a preflight (`cors.ts`).
 * 2. Under the base path, pass the guards (`authenticate.ts`, `rate-limit.ts`). Only then refuse a request that has no route.
 * 3. Read the body, if the operation has one (`body.ts`).
 * 4. Run the handler (`operations/`). Under the base path, the request counts as in flight meanwhile.
 * 5. Add the header fields that every response carries (`http-response.ts`), and report the request (`response-log.ts`).
 */
export function createPipeline({
  protectedOperations,
  publicOperations,
  basePath,
  guards,
  cors,
  bodyLimit,
  maxInFlight,
  log,
  onResponse,
  trustProxy,
}: PipelineOptions): HttpInterface {
  const served: readonly Served[] = [
    ...protectedOperations.map((each) => ({ ...each, path: basePath + each.path, isProtected: true })),
    ...publicOperations.map((each) => ({ ...each, isProtected: false })),
  ];
  const index = new RouteIndex(served);
  let inFlight = 0;

  /** @param known The route, if the router of a framework has found it. */
  async function respond(request: HttpRequest, known?: Served): Promise<HttpResponse> {
    const start = onResponse === undefined ? 0 : performance.now();
    const requestId = requestIdOf(request.rawHeaders);
    const context = { request, path: '', query: '', principal: undefined as Principal | undefined, body: NO_BODY };
    let route = known;
    let response: OperationResponse | undefined;
    try {
      const target = parseTarget(request.target);
      if (target === undefined) throw BAD_TARGET;
      ({ path: context.path, query: context.query } = target);
      route ??= index.find(request.method, target.path);
      if (route === undefined) response = cors?.preflightResponse(request, index.methodsOf(target.path));
      if (response === undefined) {
        if (route?.isProtected ?? isUnder(basePath, target.path)) for (const guard of guards) await guard(context);
        if (route === undefined) throw noRoute(target.path);
        if (route.hasBody === true) context.body = await readBody(request, bodyLimit);
        if (!route.isProtected) response = await route.handle(context);
        else if (inFlight >= maxInFlight) throw OVERLOADED;
        else {
          inFlight++;
          try {
            response = await route.handle(context);
          } finally {
            inFlight--;
          }
        }
      }
    } catch (error) {
      response = failed(error, request, requestId);
    }

    const { status, headers, body } = response;
    const length = completeHeaders(response, requestId);
    route?.addHeaders?.(headers, request, status);
    cors?.addHeaders(headers, request);

    if (onResponse !== undefined) {
      const report = (): unknown =>
        onResponse({
          requestId,
          method: request.method,
          route: route?.path,
          status,
          code: response.code,
          limit: response.limit,
          durationMs: performance.now() - start,
          bytes: request.method === 'HEAD' ? 0 : length,
          clientAddress: clientAddressOf(request, trustProxy),
          keyName: context.principal?.name,
        });
      attempt(report, (err) => log.error({ requestId, err }, 'a request could not be reported'));
    }
    return { status, headers, body, length };
  }

  function noRoute(path: string): HttpError {
    const allow = index.methodsOf(path);
    if (allow.length > 0) return methodNotAllowed(allow.join(', '));
    return path.endsWith('/') && index.methodsOf(path.slice(0, -1)).length > 0 ? TRAILING_SLASH : ROUTE_NOT_FOUND;
  }

  function failed(error: unknown, request: HttpRequest, requestId: string): OperationResponse {
    const response = failureResponse(error);
    if (response.code === 'store_unavailable') {
      log.warn({ requestId, cause: causeOf(error) }, 'the store did not answer in time');
    } else if (response.code === 'internal_error') {
      if (hasLeft(request, error)) return clientLeft();
      log.error({ requestId, err: error }, 'a request failed');
    }
    return response;
  }

  return {
    routes: served.map((route) => ({
      method: route.method,
      path: route.path,
      respond: (request) => respond(request, route),
    })),
    respond: (request) => respond(request),
  };
}

function hasLeft({ signal }: HttpRequest, error: unknown): boolean {
  return signal?.aborted === true && error === reasonOf(signal);
}

/** One line: an outage logs many of these, and a stack would add nothing. */
function causeOf(error: unknown): string {
  return error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
}
