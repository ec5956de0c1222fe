import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { endWithTest } from './cleanup.js';

/** A TCP proxy on a loopback port that can fail on demand. It is closed when its test ends. */
export interface TcpProxy {
  readonly port: number;
  /** Resets every connection immediately, and each new one on arrival, until `pass`. */
  cut(): void;
  /** Ends every connection immediately by FIN, as a server that stops does. Accepts new ones. */
  hangUp(): void;
  /** Delivers everything so much later from now on; nothing is lost, and nothing overtakes. */
  delay(ms: number): void;
  /** Loses every byte from now on, without closing a connection. A connection that lost some never recovers; one made later may. */
  swallow(): void;
  /**
   * Loses this text, the next time that a client sends it, and every byte of its connection from then on. The other
   * connections go on. Resolves when that has happened.
   */
  swallowConnectionOf(text: string): Promise<void>;
  /** Decides from now on what happens to everything that a client sends. */
  judge(judge: (chunk: Buffer) => Fate): void;
  /** Lets everything through again. */
  pass(): void;
  close(): Promise<void>;
}

/**
 * What becomes of a request:
 *
 * - it passes, immediately or once a promise is fulfilled;
 * - its connection is reset before it reaches the server, so that it is lost;
 * - its connection is reset when the server answers, so that the answer is lost;
 * - its connection is reset immediately, but it still reaches the server so many milliseconds later.
 */
export type Fate =
  'pass' | 'lose request' | 'lose answer' | { readonly until: Promise<unknown> } | { readonly lateMs: number };

type Mode = 'pass' | 'cut' | 'swallow';

/** A connection through the proxy, on which nothing more is passed on once it is dead. */
interface Link {
  isDead: boolean;
}

/** Starts a proxy before a server on the loopback interface. */
export async function startTcpProxy(target: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let mode: Mode = 'pass';
  let delayMs = 0;
  let fateOf: ((chunk: Buffer) => Fate) | undefined;
  let victim: { readonly text: string; readonly resolve: () => void } | undefined;

  /** Whether a request passes immediately. Otherwise, this function handles the request and its connection. */
  const isToPass = (chunk: Buffer, client: Socket, upstream: Socket, link: Link): boolean => {
    const fate = fateOf?.(chunk) ?? 'pass';
    if (fate === 'pass') return true;
    if (fate === 'lose answer') {
      upstream.removeAllListeners('data').once('data', () => {
        client.resetAndDestroy();
        upstream.destroy();
      });
      return true;
    }
    if (typeof fate === 'object' && 'until' in fate) {
      void fate.until.then(() => upstream.write(chunk));
      return false;
    }
    link.isDead = true;
    client.resetAndDestroy();
    if (fate === 'lose request') upstream.destroy();
    else setTimeout(() => upstream.end(chunk), fate.lateMs).unref();
    return false;
  };

  const pipe = (from: Socket, to: Socket, link: Link, isFromClient: boolean): void => {
    from.on('data', (chunk) => {
      if (isFromClient && !link.isDead && !isToPass(chunk, from, to, link)) return;
      if (mode === 'swallow') link.isDead = true;
      if (victim !== undefined && chunk.includes(victim.text)) {
        link.isDead = true;
        victim.resolve();
        victim = undefined;
      }
      if (link.isDead) return;
      if (delayMs === 0) to.write(chunk);
      else setTimeout(() => to.write(chunk), delayMs).unref();
    });
    from.on('error', () => to.destroy());
    from.on('close', () => {
      sockets.delete(from);
      if (!link.isDead) to.destroy();
    });
  };

  const server = createServer((client) => {
    if (mode === 'cut') return void client.resetAndDestroy();
    const upstream = connect(target, '127.0.0.1');
    const link = { isDead: false };
    for (const socket of [client, upstream]) sockets.add(socket.setNoDelay());
    pipe(client, upstream, link, true);
    pipe(upstream, client, link, false);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const resetAll = (): void => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  const close = async (): Promise<void> => {
    forget();
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    resetAll();
    await closed;
  };
  const forget = endWithTest(close);
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      mode = 'cut';
      resetAll();
    },
    hangUp() {
      for (const socket of sockets) socket.destroy();
    },
    delay: (ms) => (delayMs = ms),
    swallow: () => (mode = 'swallow'),
    swallowConnectionOf: async (text) => new Promise((resolve) => (victim = { text, resolve })),
    judge: (judge) => (fateOf = judge),
    pass() {
      victim = undefined;
      fateOf = undefined;
      mode = 'pass';
      delayMs = 0;
    },
    close,
  };
}
