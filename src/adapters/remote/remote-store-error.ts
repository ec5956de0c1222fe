/** The interface's codes are like this. Anything else is no code. */
const CODE = /^[a-z_]{1,64}$/;
/** What the service takes as the id of a request, and gives back. */
const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** What is known of an answer. */
export interface AnswerDetails {
  readonly status: number;
  readonly code?: string | undefined;
  readonly requestId?: string | undefined;
}

/**
 * The remote service answered, but with what a catalogue cannot use: a refusal such as 401, or an answer that is not the
 * interface's. Trying again does not help.
 */
export class RemoteStoreError extends Error {
  override readonly name = 'RemoteStoreError';
  /** The HTTP status; 0 if it is a redirect that a browser hides. */
  readonly status: number;
  /** The `code` in the body of the answer, such as `unauthorized`; `undefined` if the body is not an `Error` of the interface. */
  readonly code: string | undefined;
  /** The id of the request, `X-Request-Id`, by which the log of the service tells more; `undefined` if it has none. */
  readonly requestId: string | undefined;

  /** @param reason What is wrong with the answer; it reads on from the status. @default its code */
  constructor({ status, code, requestId }: AnswerDetails, reason?: string) {
    const what = reason ?? code;
    const details = `${what === undefined ? '' : `: ${what}`}${requestId === undefined ? '' : ` (request ${requestId})`}`;
    super(`the remote store answered ${status}${details}`);
    this.status = status;
    this.code = code;
    this.requestId = requestId;
  }
}

/** A value as a code, if it has the form of one. */
export function asCode(value: unknown): string | undefined {
  return typeof value === 'string' && CODE.test(value) ? value : undefined;
}

/** A header field as the id of a request, if it has the form of one. */
export function asRequestId(value: string | null): string | undefined {
  return value !== null && REQUEST_ID.test(value) ? value : undefined;
}
