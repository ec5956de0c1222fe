/** The form of the interface's codes. Anything else is not a code. */
const CODE = /^[a-z_]{1,64}$/;
/** The form of a request id that the service accepts and returns. */
const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** The parts of an answer that an error reports. */
export interface AnswerDetails {
  readonly status: number;
  readonly code?: string | undefined;
  readonly requestId?: string | undefined;
}

/**
 * The remote service sent an answer that the catalogue cannot use: a refusal such as 401, or an answer that does not conform to
 * the interface. Retrying does not help.
 */
export class RemoteStoreError extends Error {
  override readonly name = 'RemoteStoreError';
  /** The HTTP status; 0 for a redirect in a browser, which hides the status. */
  readonly status: number;
  /** The `code` in the body of the answer, such as `unauthorized`; `undefined` if the body is not an `Error` of the interface. */
  readonly code: string | undefined;
  /** The id of the request (`X-Request-Id`), to find it in the log of the service; `undefined` if the answer has none. */
  readonly requestId: string | undefined;

  /** @param reason What is wrong with the answer; it continues a sentence that begins with the status. @default its code */
  constructor({ status, code, requestId }: AnswerDetails, reason?: string) {
    const what = reason ?? code;
    const details = `${what === undefined ? '' : `: ${what}`}${requestId === undefined ? '' : ` (request ${requestId})`}`;
    super(`the remote store answered ${status}${details}`);
    this.status = status;
    this.code = code;
    this.requestId = requestId;
  }
}

/** Returns a value if it has the form of a code. */
export function asCode(value: unknown): string | undefined {
  return typeof value === 'string' && CODE.test(value) ? value : undefined;
}

/** Returns a header field if it has the form of a request id. */
export function asRequestId(value: string | null): string | undefined {
  return value !== null && REQUEST_ID.test(value) ? value : undefined;
}
