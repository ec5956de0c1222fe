/** A header's name as sent over the wire, and its value without surrounding white space. */
export type Header = readonly [name: string, value: string];

/** One HTTP response, header by header and byte by byte. */
export class ReceivedResponse {
  readonly status: number;
  readonly headers: readonly Header[];
  readonly body: Buffer;

  constructor(status: number, headers: readonly Header[], body: Buffer) {
    this.status = status;
    this.headers = headers;
    this.body = body;
  }

  /** The body as text. */
  get text(): string {
    return this.body.toString('utf8');
  }

  /** The body as JSON, integers beyond 2^53 rounded. */
  get json(): unknown {
    return JSON.parse(this.text) as unknown;
  }

  /** Every value of the header, in order. */
  all(name: string): string[] {
    return this.headers.filter(([other]) => other.toLowerCase() === name.toLowerCase()).map(([, value]) => value);
  }

  /** The header's value. Throws if the response has the header more than once. */
  header(name: string): string | undefined {
    const values = this.all(name);
    if (values.length > 1) throw new Error(`${name} is given ${values.length} times: ${values.join(' | ')}`);
    return values[0];
  }

  /** Whether the server says that it closes the connection after this response. */
  get isLast(): boolean {
    return /\bclose\b/i.test(this.header('Connection') ?? '');
  }
}

/** The result of {@link parseResponse}: a response, and how many bytes it took. */
export interface Parsed {
  readonly response: ReceivedResponse;
  readonly length: number;
}

/**
 * Reads one response from the start of the received bytes; `undefined` if it is still incomplete. Throws if a response with
 * a body has no `Content-Length`: the service promises one with every body.
 *
 * @param bodiless whether the response has no body whatever its headers say, as a response to HEAD
 */
export function parseResponse(received: Buffer, bodiless: boolean): Parsed | undefined {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [statusLine = '', ...lines] = received.toString('latin1', 0, end).split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
  if (Number.isNaN(status)) throw new Error(`Not a status line: ${statusLine}`);
  const headers = lines.map((line): Header => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  const start = end + 4;
  const head = new ReceivedResponse(status, headers, Buffer.alloc(0));
  if (bodiless || status < 200 || status === 204 || status === 304) return { response: head, length: start };
  const declared = head.header('Content-Length');
  if (declared === undefined || !/^\d+$/.test(declared)) throw new Error(`Not a Content-Length: ${declared}`);
  const length = start + Number(declared);
  if (received.length < length) return undefined;
  return { response: new ReceivedResponse(status, headers, received.subarray(start, length)), length };
}
