import { jsonResponse } from '../pipeline/http-response.js';
import type { Log } from '../pipeline/log.js';
import type { Operation } from '../pipeline/operation.js';

export const livez: Operation = {
  method: 'GET',
  path: '/livez',
  handle: () => jsonResponse(200, '{"status":"alive"}'),
};

export function readyz(isReady: () => boolean | Promise<boolean>, log: Log): Operation {
  return {
    method: 'GET',
    path: '/readyz',
    async handle() {
      let ready = false;
      try {
        ready = await isReady();
      } catch (err) {
        log.warn({ err }, 'the check of readiness failed');
      }
      return jsonResponse(ready ? 200 : 503, `{"status":"${ready ? 'ready' : 'not ready'}"}`);
    },
  };
}
