import type { AnimalStore } from '../../application/animal-store.js';
import type { ApiKeys } from '../../domain/api-keys/api-keys.js';
import { isCorsOrigin } from './pipeline/cors.js';
import { BODY_LIMIT_MAX } from './pipeline/limits.js';
import type { Log } from './pipeline/log.js';
import type { RateLimiter } from './pipeline/rate-limit.js';
import type { ProxyTrust, ResponseLog } from './pipeline/response-log.js';
import { isBasePath } from './pipeline/target.js';
import type { ApiServer } from './operations/openapi.js';
import type { Reference } from './reference/page.js';

/** Options of an HTTP interface. */
export interface HttpInterfaceOptions {
  /** The animal store that it serves. */
  readonly store: AnimalStore;
  /** The API keys that it accepts. */
  readonly apiKeys: ApiKeys;
  /**
   * The path above every operation: segments of `A-Za-z0-9._~-`, the last one `v1`.
   * @default '/v1'
   */
  readonly basePath?: string | undefined;
  /**
   * The maximum size of a request's body, in bytes: an integer from 1 to 2^28.
   * @default 65536
   */
  readonly bodyLimit?: number | undefined;
  /**
   * The maximum number of requests under the base path that are in flight: a positive integer. A request counts from when its body is
   * read until the store has answered. Further requests are answered with 503 `overloaded`.
   * @default no limit
   */
  readonly maxInFlight?: number | undefined;
  /** Limits the requests of each key. Requests beyond the limit are answered with 429. @default no limit */
  readonly rateLimiter?: RateLimiter | undefined;
  /**
   * The origins whose pages may call the interface from a browser (CORS), such as `https://shop.example`; `*` allows all.
   * @default none
   */
  readonly corsOrigins?: readonly string[] | undefined;
  /**
   * Whether the service is ready for requests, for `/readyz`. If it rejects, the service is not ready, and the log has the reason.
   * @default always
   */
  readonly isReady?: (() => boolean | Promise<boolean>) | undefined;
  /**
   * The addresses that the OpenAPI document lists.
   * @default the base path, relative to the document, so that "Try it out" works under any name
   */
  readonly servers?: readonly ApiServer[] | undefined;
  /**
   * The interactive reference at `/docs`: `reference` of `animal-store/reference`.
   * @default none: `/` and `/docs` are answered with 404
   */
  readonly reference?: Reference | undefined;
  /** @default warnings and errors on the console */
  readonly log?: Log | undefined;
  /** Called for each request when its response is ready, for logs and metrics. If it throws, the error is logged. @default none */
  readonly onResponse?: ((response: ResponseLog) => void) | undefined;
  /**
   * Finds the address of the client behind reverse proxies, for `onResponse`: a function around the package `proxy-addr`, for example.
   * @default none: the address that the connection comes from
   */
  readonly trustProxy?: ProxyTrust | undefined;
}

export function checkOptions(
  basePath: string,
  bodyLimit: number,
  maxInFlight: number,
  corsOrigins: readonly string[],
): void {
  if (!isBasePath(basePath)) throw new TypeError('basePath must be segments of A-Za-z0-9._~-, the last one v1');
  if (!Number.isSafeInteger(bodyLimit) || bodyLimit < 1 || bodyLimit > BODY_LIMIT_MAX)
    throw new TypeError(`bodyLimit must be an integer from 1 to ${BODY_LIMIT_MAX}`);
  if (maxInFlight !== Infinity && (!Number.isSafeInteger(maxInFlight) || maxInFlight < 1))
    throw new TypeError('maxInFlight must be a positive integer');
  if (!corsOrigins.every(isCorsOrigin))
    throw new TypeError('corsOrigins must be origins such as https://shop.example, without a slash at the end, or *');
}
