import { createFetchHandler } from '../../../src/adapters/http/fetch/create-fetch-handler.js';
import { options } from './handler.js';

let handler: ReturnType<typeof createFetchHandler> | undefined;

/** A worker of Cloudflare's runtime. It makes the handler during a request, when workers may not generate code. */
export default {
  async fetch(request: Request): Promise<Response> {
    handler ??= createFetchHandler(options);
    return handler(request);
  },
};
