import { createFetchHandler } from 'animal-store/fetch';

/** @import { HttpInterfaceOptions } from 'animal-store/http' */

/**
 * The exports of a route handler of Next.js, `app/shop/[...path]/route.js`, with the animals at /shop/v1:
 *
 *     export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = createRoute({ store, apiKeys });
 *
 * Next.js answers methods without an export itself, so those that the interface refuses are among them too.
 *
 * @param {HttpInterfaceOptions} options
 */
export function createRoute(options) {
  const animals = createFetchHandler({ ...options, mountPath: '/shop' });
  return {
    GET: animals,
    HEAD: animals,
    POST: animals,
    PUT: animals,
    PATCH: animals,
    DELETE: animals,
    OPTIONS: animals,
  };
}
