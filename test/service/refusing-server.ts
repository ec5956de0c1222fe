import { BSON } from 'mongodb';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';

/** A server of MongoDB's wire protocol that has no data, and can be told to refuse every command. */
export interface RefusingServer {
  readonly port: number;
  /** How many pings have come in so far. */
  readonly pings: number;
  /** From now on everything but the handshake is refused, as to a user without any rights. */
  refuse(): void;
  close(): Promise<void>;
}

const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;
const HEADER_LENGTH = 16;
const HELLO = {
  ok: 1,
  helloOk: true,
  ismaster: true,
  isWritablePrimary: true,
  minWireVersion: 0,
  maxWireVersion: 13,
  maxBsonObjectSize: 16_777_216,
  maxMessageSizeBytes: 48_000_000,
  maxWriteBatchSize: 100_000,
};
/** Answers a command, with no documents if it asks for any. */
const ACCEPTANCE = { ok: 1, cursor: { id: BSON.Long.ZERO, ns: 'zoo.any', firstBatch: [] } };
const REFUSAL = { ok: 0, code: 13, codeName: 'Unauthorized', errmsg: 'not authorized on zoo to execute the command' };

/** Starts one on a free loopback port. */
export async function startRefusingServer(): Promise<RefusingServer> {
  const sockets = new Set<Socket>();
  let refuses = false;
  let pings = 0;
  const server = createServer((socket) => {
    let received = Buffer.alloc(0);
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      while (received.length >= HEADER_LENGTH && received.length >= received.readInt32LE(0)) {
        const length = received.readInt32LE(0);
        const command = commandOf(received.subarray(0, length));
        if ('ping' in command) pings++;
        socket.write(answerTo(received.subarray(0, length), command, refuses));
        received = received.subarray(length);
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    get pings() {
      return pings;
    },
    refuse: () => (refuses = true),
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The document of a command; nothing of one in the old form, which only the first handshake has. */
function commandOf(request: Buffer): BSON.Document {
  return isQuery(request) ? {} : BSON.deserialize(request.subarray(HEADER_LENGTH + 5));
}

function isQuery(request: Buffer): boolean {
  return request.readInt32LE(12) === OP_QUERY;
}

function answerTo(request: Buffer, command: BSON.Document, refuses: boolean): Buffer {
  const isOld = isQuery(request);
  const isHello = isOld || 'hello' in command;
  const document = BSON.serialize(isHello ? HELLO : refuses ? REFUSAL : ACCEPTANCE);
  const before = Buffer.alloc(isOld ? 20 : 5);
  if (isOld) before.writeInt32LE(1, HEADER_LENGTH);
  const header = Buffer.alloc(HEADER_LENGTH);
  header.writeInt32LE(HEADER_LENGTH + before.length + document.length, 0);
  header.writeInt32LE(request.readInt32LE(4), 8);
  header.writeInt32LE(isOld ? OP_REPLY : OP_MSG, 12);
  return Buffer.concat([header, before, document]);
}
