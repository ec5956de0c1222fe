import type Router from '@koa/router';
import type { Operation } from './answer.js';
import { HttpError } from './errors.js';
import type { State } from './request.js';

/** Answers what no route did: 405 with the methods that the path has, or 404. */
export function unrouted(router: Router<State>): Operation {
  return ({ method, path }) => {
    const methods = new Set(router.match(path, method).path.flatMap((layer) => layer.methods));
    if (methods.size === 0) throw new HttpError('route_not_found', 'there is nothing at this path');
    const allow = [...methods].sort().join(', ');
    throw new HttpError('method_not_allowed', `the method must be one of ${allow}`, { Allow: allow });
  };
}

/** Answers a request whose target is neither a path nor an absolute URL of one. */
export const refuseTarget: Operation = () => {
  throw new HttpError('bad_request', 'the target of the request must be a path, with a query or without');
};
