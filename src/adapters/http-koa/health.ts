import { jsonAnswer, type Operation } from './answer.js';

const UNCACHED = { 'Cache-Control': 'no-store' };

/** `GET /livez`: 200 as long as the process runs. */
export const livez: Operation = () => jsonAnswer(200, '{"status":"alive"}', UNCACHED);

/** `GET /readyz`: 200 while the service is ready for requests, otherwise 503. */
export function readyz(isReady: () => boolean | Promise<boolean>): Operation {
  return async () =>
    (await isReady())
      ? jsonAnswer(200, '{"status":"ready"}', UNCACHED)
      : jsonAnswer(503, '{"status":"not ready"}', UNCACHED);
}
