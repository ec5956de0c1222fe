import { HttpError } from '../errors.js';
import type { Handler } from '../operation.js';

/** Answers requests that match no route: 405 with `Allow` if the path exists, otherwise 404. */
export function unrouted(methodsOf: (path: string) => readonly string[]): Handler {
  return ({ request }) => {
    const allow = methodsOf(request.path).join(', ');
    if (allow === '') throw new HttpError('route_not_found', 'there is nothing at this path');
    throw new HttpError('method_not_allowed', `the method must be one of ${allow}`, ['Allow', allow]);
  };
}

/** Answers requests whose target is neither a path nor an absolute URL of one. */
export const refuseTarget: Handler = () => {
  throw new HttpError('bad_request', 'the target of the request must be a path, with a query or without');
};
