/** An HTTP request, as a transport passes it to the interface. */
export interface HttpRequest {
  /** The method as sent: `GET`. Methods are case-sensitive (RFC 9110, section 9.1). */
  readonly method: string;
  /** The path below {@link mountPath} as sent, not decoded. It starts with `/`, or is `*`. */
  readonly path: string;
  /** The query as sent, without its question mark; empty if there is none. */
  readonly query: string;
  /**
   * The names and values of the header fields in turn, in the order of arrival: `['Host', 'a', 'Accept', 'b']`. A field that
   * was sent twice occurs twice.
   */
  readonly rawHeaders: readonly string[];
  /** The path at which a larger application mounts the interface, without a trailing slash; empty if there is none. */
  readonly mountPath: string;
  /** The address that the connection comes from, of the client or of a proxy; `undefined` if the transport does not know it. */
  readonly remoteAddress?: string | undefined;
  /**
   * Aborted if the client leaves before it has its answer; `undefined` if the transport does not notice that. Only reads heed it:
   * a creation that has begun runs to its end.
   */
  readonly signal?: AbortSignal | undefined;
  /**
   * Reads the whole body. Resolves to an empty array if there is no body. Called at most once.
   *
   * Rejects with the {@link HttpError} of {@link bodyTooLarge} if the body is larger than `limit` bytes, of
   * {@link bodyIncomplete} if it ends early, and with another error for an internal error.
   */
  readBody(limit: number): Promise<Uint8Array>;
}

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** The client's own `X-Request-Id` if it sent one of 1 to 128 characters of `A-Za-z0-9._-`; otherwise a fresh UUID. */
export function requestIdOf(rawHeaders: readonly string[]): string {
  const own = onlyFieldValue(rawHeaders, 'x-request-id');
  return own !== undefined && REQUEST_ID.test(own) ? own : crypto.randomUUID();
}

/**
 * Every value of a header field, in the order of arrival.
 *
 * @param name In lower case.
 */
export function fieldValues(rawHeaders: readonly string[], name: string): string[] {
  const values: string[] = [];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (isField(rawHeaders[i] as string, name)) values.push(rawHeaders[i + 1] as string);
  }
  return values;
}

/**
 * The value of a header field that must occur once; `undefined` if it is missing or occurs twice.
 *
 * @param name In lower case.
 */
export function onlyFieldValue(rawHeaders: readonly string[], name: string): string | undefined {
  let value: string | undefined;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (!isField(rawHeaders[i] as string, name)) continue;
    if (value !== undefined) return undefined;
    value = rawHeaders[i + 1];
  }
  return value;
}

function isField(field: string, name: string): boolean {
  return field.length === name.length && field.toLowerCase() === name;
}

/** A path of the interface as its clients see it: below the path at which the interface is mounted. */
export function clientPath({ mountPath }: HttpRequest, path: string): string {
  return mountPath + path;
}
