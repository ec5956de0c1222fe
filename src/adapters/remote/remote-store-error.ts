interface ReportedResponse {
  readonly status: number;
  readonly code?: string | undefined;
  readonly requestId?: string | undefined;
}

/**
 * The remote service sent a response that the catalogue cannot use: a refusal such as 401, or a response that does not conform to
 * the interface. Retrying does not help.
 */
export class RemoteStoreError extends Error {
  override readonly name = 'RemoteStoreError';
  /** The HTTP status; 0 for a redirect in a browser, which hides the status. */
  readonly status: number;
  /** The `code` in the body of the response, such as `unauthorized`; `undefined` if the body is not an `Error` of the interface. */
  readonly code: string | undefined;
  /** The id of the request (`X-Request-Id`), to find it in the log of the service; `undefined` if the response has none. */
  readonly requestId: string | undefined;

  /** @param reason What is wrong with the response; it continues a sentence that begins with the status. @default its code */
  constructor({ status, code, requestId }: ReportedResponse, reason = code, options?: ErrorOptions) {
    const details = `${reason === undefined ? '' : `: ${reason}`}${requestId === undefined ? '' : ` (request ${requestId})`}`;
    super(`the remote store answered ${status}${details}`, options);
    this.status = status;
    this.code = code;
    this.requestId = requestId;
  }
}
