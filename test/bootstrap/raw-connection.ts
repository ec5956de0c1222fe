import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { eventually } from '../support/eventually.js';

const HEAD_END = '\r\n\r\n';

/** An answer as it came over the wire. */
export interface RawAnswer {
  readonly status: number;
  /** Status line and headers. */
  readonly head: string;
  readonly body: string;
  /** Whether it says `Connection: close`. */
  readonly last: boolean;
}

/** A TCP connection on which a test sends what it likes, whole requests or not, and reads answers one by one. */
export class RawConnection {
  /** Settles when the connection is closed, by whichever side and however. */
  readonly closed: Promise<void>;
  readonly #socket: Socket;
  #received = Buffer.alloc(0);
  #end: string | undefined;
  #wake: () => void = () => undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (bytes) => {
      this.#received = Buffer.concat([this.#received, bytes]);
      this.#wake();
    });
    socket.on('error', ({ message }) => (this.#end = message));
    this.closed = new Promise((resolve) => {
      socket.once('close', () => {
        this.#end ??= 'closed';
        this.#wake();
        resolve();
      });
    });
  }

  /** Connects to a port of 127.0.0.1; rejects where nobody listens. */
  static async open(port: number): Promise<RawConnection> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    await once(socket, 'connect');
    return new RawConnection(socket);
  }

  /** Sends bytes, and resolves once the kernel has them; a connection that is closed swallows them. */
  send(bytes: string): Promise<void> {
    return new Promise((resolve) => this.#socket.write(bytes, () => resolve()));
  }

  /** Resolves to the next whole answer; rejects where the connection ends before it is complete. */
  async answer(): Promise<RawAnswer> {
    for (;;) {
      const answer = this.#take();
      if (answer !== undefined) return answer;
      if (this.#end !== undefined)
        throw new Error(`no whole answer: ${this.#end}, after ${this.#received.length} bytes`);
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  /** Sends a request and resolves to its answer. */
  async ask(request: string): Promise<RawAnswer> {
    await this.send(request);
    return this.answer();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #take(): RawAnswer | undefined {
    const headEnd = this.#received.indexOf(HEAD_END);
    if (headEnd < 0) return undefined;
    const head = this.#received.toString('latin1', 0, headEnd);
    const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0);
    const end = headEnd + HEAD_END.length + length;
    if (this.#received.length < end) return undefined;
    const body = this.#received.toString('utf8', end - length, end);
    this.#received = this.#received.subarray(end);
    const last = /^connection:.*\bclose\b/im.test(head);
    return { status: Number(head.split(' ', 2)[1]), head, body, last };
  }
}

/** The text of a request on a connection that is kept, with a body of JSON if one is given. */
export function requestText(method: string, path: string, key: string, body?: string): string {
  const lines = [`${method} ${path} HTTP/1.1`, 'Host: 127.0.0.1', `Authorization: Bearer ${key}`];
  if (body !== undefined) lines.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`);
  return `${lines.join('\r\n')}${HEAD_END}${body ?? ''}`;
}

/** Resolves as soon as nobody listens on the port any more. */
export async function refusal(port: number): Promise<void> {
  let refused: true | undefined;
  const probe = (): true | undefined => {
    RawConnection.open(port).then(
      (connection) => connection.destroy(),
      () => (refused = true),
    );
    return refused;
  };
  await eventually(probe);
}
