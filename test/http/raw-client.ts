import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { parseAnswer, type Answer } from './answer.js';

/** How an answer is to be read. */
export interface ReceiveOptions {
  /** Whether the answer is to a HEAD, so that no body follows. @default false */
  readonly head?: boolean;
}

/** A connection on which the caller decides about every byte that is sent, and sees every one that comes back. */
export class RawConnection {
  #received = Buffer.alloc(0);
  #ended = false;
  #fault: Error | undefined;
  #wake: () => void = () => undefined;
  readonly #socket: Socket;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) =>
      this.#changed(() => (this.#received = Buffer.concat([this.#received, chunk]))),
    );
    socket.on('close', () => this.#changed(() => (this.#ended = true)));
    socket.on('error', (error) => this.#changed(() => (this.#fault = error)));
  }

  /** Connects to this port of 127.0.0.1. */
  static async open(port: number): Promise<RawConnection> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    await once(socket, 'connect');
    return new RawConnection(socket);
  }

  /** Sends these bytes; of a string, one for each character up to U+00FF. */
  send(bytes: string | Uint8Array): void {
    this.#socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  }

  /** Resolves to the next answer, a 1xx among them; rejects if the connection ends before it is complete. */
  async receive({ head = false }: ReceiveOptions = {}): Promise<Answer> {
    for (;;) {
      const parsed = parseAnswer(this.#received, head);
      if (parsed) {
        this.#received = this.#received.subarray(parsed.length);
        return parsed.answer;
      }
      if (this.#ended)
        throw this.#fault ?? new Error(`It ended within an answer: ${this.#received.toString('latin1')}`);
      await this.#change();
    }
  }

  /** Waits until the server has ended the connection, and resolves to what it sent beyond the answers received. */
  async finished(): Promise<string> {
    while (!this.#ended) await this.#change();
    if (this.#fault) throw this.#fault;
    return this.#received.toString('latin1');
  }

  /** Tells the server that nothing more will be sent. */
  end(): void {
    this.#socket.end();
  }

  /** Leaves at once, with a reset where something is on its way. */
  destroy(): void {
    this.#socket.destroy();
  }

  #changed(change: () => void): void {
    change();
    this.#wake();
  }

  #change(): Promise<void> {
    return new Promise((resolve) => (this.#wake = resolve));
  }
}

/** Opens a connection, has it used, and leaves whatever happens. */
export async function onConnection<T>(port: number, use: (connection: RawConnection) => Promise<T>): Promise<T> {
  const connection = await RawConnection.open(port);
  try {
    return await use(connection);
  } finally {
    connection.destroy();
  }
}
