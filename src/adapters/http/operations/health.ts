import { jsonAnswer } from '../answer.js';
import type { Operation } from '../operation.js';

/** `GET /livez`: 200 as long as the process runs. */
export const livez: Operation = {
  method: 'GET',
  path: '/livez',
  handle: () => jsonAnswer(200, '{"status":"alive"}'),
};

/** `GET /readyz`: 200 while the service is ready for requests, otherwise 503. */
export function readyz(isReady: () => boolean | Promise<boolean>): Operation {
  return {
    method: 'GET',
    path: '/readyz',
    async handle() {
      const ready = await isReady();
      return jsonAnswer(ready ? 200 : 503, `{"status":"${ready ? 'ready' : 'not ready'}"}`);
    },
  };
}
