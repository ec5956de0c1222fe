import { runUnitTests } from './unit-tests.js';

/** A worker of Cloudflare's runtime, which answers any request with the results. */
export default { fetch: async (): Promise<Response> => Response.json(await runUnitTests()) };
