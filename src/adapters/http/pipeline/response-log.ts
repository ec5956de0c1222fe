import type { ErrorCode, Limit } from './errors.js';
import type { HttpRequest } from './http-request.js';

/** An answered request, for a log and for metrics. Contains no secrets: no key, query value or body. */
export interface ResponseLog {
  readonly requestId: string;
  readonly method: string;
  /** The template of the route's path, such as `/v1/pets/:petId`; `undefined` if the request matched no route. */
  readonly route: string | undefined;
  /** The HTTP status of the response; 499 if the client left and the catalogue stopped its read. */
  readonly status: number;
  /** The `code` of the response's `Error` body; `undefined` if it has none. */
  readonly code: ErrorCode | undefined;
  /** The limit that the request exceeded; `undefined` if it exceeded none, or if the HTTP server has reported the rejection. */
  readonly limit: Limit | undefined;
  /** The time from the arrival of the header section until the response was ready to be sent, in milliseconds. */
  readonly durationMs: number;
  /** The size of the response's body in bytes; 0 for a `HEAD`. */
  readonly bytes: number;
  /**
   * The address of the client, as `trustProxy` finds it; without that option, the address that the connection comes from.
   * `undefined` if the transport does not know it.
   */
  readonly clientAddress: string | undefined;
  /** The name that the API key was issued to; `undefined` if the request presented no valid key, or needed none. */
  readonly keyName: string | undefined;
}

/**
 * Returns the address of the client of a request: that of the connection, or the one that trusted reverse proxies have written
 * into the header fields.
 *
 * @param remoteAddress The address that the connection comes from.
 * @param rawHeaders The names and values of the header fields in turn, in the order of arrival.
 */
export type ProxyTrust = (remoteAddress: string, rawHeaders: readonly string[]) => string;

export function clientAddressOf(
  { remoteAddress, rawHeaders }: Pick<HttpRequest, 'remoteAddress' | 'rawHeaders'>,
  trustProxy: ProxyTrust | undefined,
): string | undefined {
  return remoteAddress === undefined || trustProxy === undefined
    ? remoteAddress
    : trustProxy(remoteAddress, rawHeaders);
}
