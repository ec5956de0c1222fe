import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type Router from '@koa/router';
import type { Middleware, ParameterizedContext } from 'koa';
import type { Principal } from '../../domain/api-keys.js';

/** What a request has gathered on its way. */
export interface State {
  /** Set before the operation runs. */
  requestId: string;
  /** Whom the API key belongs to, once it is known. */
  principal?: Principal;
}

/** Koa's context of one request. */
export type Context = ParameterizedContext<State>;

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** The client's own `X-Request-Id` where it is 1 to 128 of `A-Za-z0-9._-`, otherwise a fresh UUID. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const own = headers['x-request-id'];
  return typeof own === 'string' && REQUEST_ID.test(own) ? own : randomUUID();
}

/**
 * Every value of a header field, in the order of their arrival. Node's parsed headers keep the first of two in silence
 * where a field may stand only once, so who has to know looks at the raw ones.
 *
 * @param name In lower case.
 */
export function fieldValues(rawHeaders: readonly string[], name: string): string[] {
  const values: string[] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const field = rawHeaders[i] as string;
    if (field.length === name.length && field.toLowerCase() === name) values.push(rawHeaders[i + 1] as string);
  }
  return values;
}

/**
 * Has every later middleware see a target in origin form: an absolute one loses its scheme and authority (RFC 9112, section
 * 3.2). A target that is no path then, or has a fragment, is for `refuse` to answer.
 */
export function inOriginForm(refuse: Middleware<State>): Middleware<State> {
  return async (ctx, next) => {
    if (!ctx.url.startsWith('/')) {
      ctx.url = originForm(ctx.url);
      ctx.originalUrl = originForm(ctx.originalUrl);
    }
    const isTarget = (ctx.url.startsWith('/') || ctx.url === '*') && !ctx.originalUrl.includes('#');
    await (isTarget ? next() : refuse(ctx, next));
  };
}

function originForm(target: string): string {
  const path = target.replace(/^https?:\/\/[^/?#]+/i, '');
  return path === '' || path.startsWith('?') ? `/${path}` : path;
}

/**
 * A shortcut to a router's routes: the router tries the pattern of every one of them at each request. Takes a request whose
 * path is written like a route, the last segment aside where that is the route's parameter, and leaves the rest to the
 * router. A route reached so has no `ctx.params`.
 *
 * @throws TypeError for a route with several handlers, and for one that is not alone in matching its path, a `router.use`
 * included: the router would run them all.
 */
export function routeIndex(router: Router<State>): Middleware<State> {
  const routes = new Map<string, Middleware<State>>();
  for (const { methods, path, stack } of router.stack) {
    const [handler] = stack as Middleware<State>[];
    if (handler === undefined || stack.length > 1) throw new TypeError(`${path} must have exactly one handler`);
    for (const method of methods) {
      const isAlone = router.match(String(path), method).pathAndMethod.length === 1;
      if (!isAlone) throw new TypeError(`${method} ${path} must be matched by one route alone`);
      routes.set(`${method} ${String(path).replace(/:\w+$/, ':')}`, handler);
    }
  }
  return async (ctx, next) => {
    const { method, path } = ctx;
    const last = path.lastIndexOf('/') + 1;
    const hasPlainSegment = last < path.length && !path.includes('%', last);
    const route =
      routes.get(`${method} ${path}`) ?? (hasPlainSegment && routes.get(`${method} ${path.slice(0, last)}:`));
    await (route ? route(ctx, next) : next());
  };
}

/** A path of this application as its clients see it: below the prefix that it is mounted at in a larger one. */
export function clientPath({ originalUrl, url }: Context, path: string): string {
  const prefix = originalUrl.endsWith(url) ? originalUrl.slice(0, originalUrl.length - url.length) : '';
  return prefix + path;
}
