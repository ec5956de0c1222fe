import { ERRORS, HttpError, methodNotAllowed } from '../errors.js';
import type { Handler } from '../operation.js';

/** Answers requests that match no route: 405 with `Allow` if the path exists, otherwise 404. */
export function unrouted(methodsOf: (path: string) => readonly string[]): Handler {
  return ({ request }) => {
    const allow = methodsOf(request.path).join(', ');
    if (allow === '') throw new HttpError('route_not_found', ERRORS.route_not_found.message);
    throw methodNotAllowed(allow);
  };
}

/** Answers requests whose target is neither a path nor an absolute URL of one. */
export const refuseTarget: Handler = () => {
  throw new HttpError('bad_request', 'the request target must be a path, with or without a query');
};
