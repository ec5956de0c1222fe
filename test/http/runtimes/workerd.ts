import { handler } from './handler.js';

/** A worker of Cloudflare's runtime. */
export default { fetch: handler };
