/** An HTTP request, as a transport passes it to the interface. */
export interface HttpRequest {
  /** The method as sent: `GET`. Methods are case-sensitive (RFC 9110, section 9.1). */
  readonly method: string;
  /** The target as sent, without {@link mountPath}: `/v1/pets?limit=1`, an absolute URL, or `*` (RFC 9112, section 3.2). */
  readonly target: string;
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
   * Aborted if the client leaves before it has its response; `undefined` if the transport does not notice that. Reads pass it to the
   * catalogue, which may stop its query; a creation that has begun runs to its end, and never asks for it.
   */
  readonly signal?: AbortSignal | undefined;
  /**
   * Reads the whole body. Resolves to an empty array if there is no body. Called at most once.
   *
   * Rejects with the `HttpError` of `bodyTooLarge` if the body is larger than `limit` bytes, of `bodyIncomplete` if it ends early,
   * and with another error for an internal error.
   */
  readBody(limit: number): Promise<Uint8Array>;
}
