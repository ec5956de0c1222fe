import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { parseResponse, type ReceivedResponse } from './received-response.js';
import { endWithTest } from './cleanup.js';

const LOOPBACK = '127.0.0.1';
/** The pause of a client that reads slowly, in milliseconds. */
const PAUSE_MS = 5;

/** How a response is to be read. */
export interface ReceiveOptions {
  /** Whether the response is to a HEAD, so that no body follows. @default false */
  readonly head?: boolean;
}

/**
 * A TCP connection on which a test chooses every byte that it sends, and sees every byte that comes back. It is closed when
 * the test ends.
 */
export class RawConnection {
  /** Settles when the connection is closed, by either side and for any reason. */
  readonly closed: Promise<void>;
  /** Begins with the bytes that have been received. */
  #buffer = Buffer.alloc(0);
  #size = 0;
  #ended = false;
  #fault: Error | undefined;
  #wake: () => void = () => undefined;
  readonly #keep = (chunk: Buffer): void => this.#changed(() => this.#append(chunk));
  readonly #socket: Socket;

  private constructor(socket: Socket) {
    this.#socket = socket;
    // By a reset, because a server may wait for more from a client that has only ended its side.
    const forget = endWithTest(() => socket.resetAndDestroy());
    socket.on('data', this.#keep);
    socket.on('error', (error) => this.#changed(() => (this.#fault = error)));
    this.closed = new Promise((resolve) => {
      socket.once('close', () => {
        forget();
        this.#changed(() => (this.#ended = true));
        resolve();
      });
    });
  }

  /** Connects to a port. Rejects if nothing listens there. */
  static async open(port: number, host = LOOPBACK): Promise<RawConnection> {
    const socket = connect({ port, host, noDelay: true });
    await once(socket, 'connect');
    return new RawConnection(socket);
  }

  /** Sends these bytes; of a string, one byte for each character up to U+00FF. Ignored if the connection is closed. */
  send(bytes: string | Uint8Array): void {
    if (this.#socket.writableEnded) return;
    this.#socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  }

  /** Sends these bytes, and resolves once the kernel has them or the connection is closed. */
  async deliver(bytes: string | Uint8Array): Promise<void> {
    await new Promise<void>((resolve) => this.#socket.write(bytes, () => resolve()));
  }

  /** Sends a request and resolves to its response. */
  async ask(request: string | Uint8Array): Promise<ReceivedResponse> {
    this.send(request);
    return this.receive();
  }

  /** Resolves to the next answer, which may be a 1xx; rejects if the connection ends before it is complete. */
  async receive({ head = false }: ReceiveOptions = {}): Promise<ReceivedResponse> {
    for (;;) {
      const parsed = parseResponse(this.#received, head);
      if (parsed) {
        this.#buffer = this.#buffer.subarray(parsed.length);
        this.#size -= parsed.length;
        return parsed.response;
      }
      if (this.#ended)
        throw this.#fault ?? new Error(`It ended within a response: ${this.#received.toString('latin1')}`);
      await this.#change();
    }
  }

  /**
   * Sends a request, and resolves to its response once the server has ended the connection behind it. Rejects if anything else
   * came, or if the connection ended otherwise.
   */
  async askLast(request: string | Uint8Array, options?: ReceiveOptions): Promise<ReceivedResponse> {
    this.send(request);
    const response = await this.receive(options);
    const surplus = await this.finished();
    if (surplus !== '') throw new Error(`More than the response came: ${surplus}`);
    return response;
  }

  /** Waits until the server has ended the connection, and resolves to what it sent beyond the responses received. */
  async finished(): Promise<string> {
    while (!this.#ended) await this.#change();
    if (this.#fault) throw this.#fault;
    return this.#received.toString('latin1');
  }

  /**
   * Reads on until the server ends the connection, with a pause after each piece, and resolves to how many bytes came. Keeps
   * none of them.
   */
  async readSlowly(): Promise<number> {
    this.#socket.off('data', this.#keep);
    let received = this.#received.length;
    for await (const chunk of this.#socket) {
      received += (chunk as Buffer).length;
      await setTimeout(PAUSE_MS);
    }
    return received;
  }

  get #received(): Buffer {
    return this.#buffer.subarray(0, this.#size);
  }

  #append(chunk: Buffer): void {
    const size = this.#size + chunk.length;
    // Doubling keeps the copying linear in the size.
    if (size > this.#buffer.length) this.#buffer = Buffer.concat([this.#received], 2 * size);
    chunk.copy(this.#buffer, this.#size);
    this.#size = size;
  }

  /** Stops reading, so that the server's bytes pile up. {@link closed} then does not notice that the connection is closed. */
  stopReading(): void {
    this.#socket.pause();
  }

  /** Reads again after {@link stopReading}. */
  startReading(): void {
    this.#socket.resume();
  }

  /** Tells the server that nothing more will be sent. */
  end(): void {
    this.#socket.end();
  }

  /** Closes the connection immediately. The kernel sends a reset if bytes are still on their way. */
  destroy(): void {
    this.#socket.destroy();
  }

  /** Closes the connection by a reset. */
  reset(): void {
    this.#socket.resetAndDestroy();
  }

  /** As {@link destroy}, for `using`. */
  [Symbol.dispose](): void {
    this.destroy();
  }

  #changed(change: () => void): void {
    change();
    this.#wake();
  }

  #change(): Promise<void> {
    return new Promise((resolve) => (this.#wake = resolve));
  }
}

/** Opens a connection for the time that `use` takes, whether it resolves or rejects. */
export async function onConnection<T>(
  port: number,
  use: (connection: RawConnection) => Promise<T>,
  host = LOOPBACK,
): Promise<T> {
  using connection = await RawConnection.open(port, host);
  return await use(connection);
}
