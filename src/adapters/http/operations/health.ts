import { jsonResponse } from '../pipeline/http-response.js';
import type { Operation } from '../pipeline/operation.js';

/** `GET /livez`: 200 as long as the process runs. */
export const livez: Operation = {
  method: 'GET',
  path: '/livez',
  handle: () => jsonResponse(200, '{"status":"alive"}'),
};

/** `GET /readyz`: 200 while the service is ready for requests, otherwise 503. */
export function readyz(isReady: () => boolean | Promise<boolean>): Operation {
  return {
    method: 'GET',
    path: '/readyz',
    async handle() {
      const ready = await isReady();
      return jsonResponse(ready ? 200 : 503, `{"status":"${ready ? 'ready' : 'not ready'}"}`);
    },
  };
}
