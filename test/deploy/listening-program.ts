import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { Child } from '../support/child.js';
import { eventually } from '../support/eventually.js';

/** Starts a program that listens, and waits until it is ready, which it is not while the question is answered by `false` or an error. */
export async function startListening(
  program: string,
  args: readonly string[],
  isReady: () => Promise<boolean>,
): Promise<void> {
  const child = Child.start(program, args);
  let hasEnded = false;
  void child.exited.then(() => (hasEnded = true));
  await eventually(async () => {
    if (hasEnded) throw new Error(`${program} ended:\n${child.stderr}`);
    return (await isReady().catch(() => false)) || undefined;
  });
}

/** A port that was free a moment ago, for programs that cannot tell which one they were given. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
