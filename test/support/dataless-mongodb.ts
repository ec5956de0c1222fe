import { BSON } from 'mongodb';
import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { listenOnFreePort } from './listen-on-free-port.js';

/** A server of MongoDB's wire protocol without data, which behaves as a test tells it. */
export interface DatalessMongodb {
  readonly port: number;
  /** How many commands of a name have come in so far. */
  received(command: string): number;
  /** From now on refuses these commands, everything but the handshake by default: as to a user without rights, by default. */
  refuse(refusal?: object, commands?: readonly string[]): void;
  /** From now on replies to a command with what the function returns, unless the command is refused. */
  reply(command: string, reply: (command: BSON.Document) => object): void;
  /**
   * From now on is a secondary member of the replica set `rs0`, which so has no primary. Tells its clients in its answers to
   * their commands, and a little later to their monitoring, with a `topologyVersion` in both. Names another primary if it is told of one.
   */
  stepDown(primary?: string): void;
  /** From now on tells every client that it is the primary of the replica set `rs0`. */
  stepUp(): void;
}

interface Refusal {
  readonly document: object;
  readonly commands: readonly string[] | undefined;
}

const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;
const HEADER_LENGTH = 16;
const STANDALONE = {
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
const NOT_PRIMARY = { ok: 0, code: 10107, codeName: 'NotWritablePrimary', errmsg: 'not primary' };
const UNAUTHORIZED = {
  code: 13,
  codeName: 'Unauthorized',
  errmsg: 'not authorized on zoo to execute the command',
};

/** A reply with all documents of a cursor. */
export function cursorOf(firstBatch: readonly object[]): object {
  return { ok: 1, cursor: { id: BSON.Long.ZERO, ns: 'zoo.any', firstBatch } };
}

/** Starts one on a free loopback port, as a server without a replica set. */
export async function startDatalessMongodb(): Promise<DatalessMongodb> {
  let hello: object = STANDALONE;
  let refusal: Refusal | undefined;
  const repliesTo = new Map<string, (command: BSON.Document) => object>();
  const processId = new BSON.ObjectId();
  const changes = new EventEmitter().setMaxListeners(0);
  let version = 0;
  const become = (role: object): void => {
    version++;
    hello = { ...role, topologyVersion: { processId, counter: BSON.Long.fromNumber(version) } };
    changes.emit('change');
  };
  const counts = new Map<string, number>();
  const answerTo = (command: BSON.Document, isHello: boolean): object => {
    if (isHello) return hello;
    const [name = ''] = Object.keys(command);
    counts.set(name, (counts.get(name) ?? 0) + 1);
    // A secondary answers a ping, but neither reads nor writes for those who ask for a primary.
    if (name !== 'ping' && 'secondary' in hello && 'topologyVersion' in hello) {
      return { ...NOT_PRIMARY, topologyVersion: hello.topologyVersion };
    }
    if (refusal !== undefined && (refusal.commands?.includes(name) ?? true)) return { ok: 0, ...refusal.document };
    return repliesTo.get(name)?.(command) ?? cursorOf([]);
  };
  /** Resolves when a monitor is to be answered, which asks to hear of changes: at the next one, or after a time that it gives. */
  const untilChange = async (command: BSON.Document): Promise<void> => {
    const known = (command['topologyVersion'] as { counter: unknown } | undefined)?.counter;
    if (Number(known) !== version) return;
    const over = new AbortController();
    const { signal } = over;
    try {
      await Promise.race([
        once(changes, 'change', { signal }),
        delay(Number(command['maxAwaitTimeMS']), undefined, { signal }),
      ]);
    } finally {
      over.abort();
    }
  };
  const server = createServer((socket) => {
    let received = Buffer.alloc(0);
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      while (received.length >= HEADER_LENGTH && received.length >= received.readInt32LE(0)) {
        const request = received.subarray(0, received.readInt32LE(0));
        const command = commandOf(request);
        const isHello = isQuery(request) || 'hello' in command;
        const answer = (): unknown => socket.write(messageOf(request, answerTo(command, isHello)));
        if (isHello && 'topologyVersion' in command) void untilChange(command).then(answer);
        else answer();
        received = received.subarray(request.length);
      }
    });
  });
  const port = await listenOnFreePort(server);
  const me = `127.0.0.1:${port}`;
  const member = { setName: 'rs0', setVersion: 1, hosts: [me], me, logicalSessionTimeoutMinutes: 30 };
  return {
    port,
    received: (command) => counts.get(command) ?? 0,
    refuse: (document = UNAUTHORIZED, commands?) => (refusal = { document, commands }),
    reply: (name, reply) => void repliesTo.set(name, reply),
    stepDown(primary) {
      const role = { isWritablePrimary: false, ismaster: false, secondary: true };
      become({ ...STANDALONE, ...member, ...role, ...(primary !== undefined && { primary }) });
    },
    stepUp: () => become({ ...STANDALONE, ...member }),
  };
}

/** The document of a command, without what follows it; nothing of one in the old form, which only the first handshake has. */
function commandOf(request: Buffer): BSON.Document {
  if (isQuery(request)) return {};
  const body = request.subarray(HEADER_LENGTH + 5);
  return BSON.deserialize(body.subarray(0, body.readInt32LE(0)));
}

function isQuery(request: Buffer): boolean {
  return request.readInt32LE(12) === OP_QUERY;
}

/** The bytes of an answer. */
function messageOf(request: Buffer, answer: object): Buffer {
  const isOld = isQuery(request);
  const document = BSON.serialize(answer);
  const before = Buffer.alloc(isOld ? 20 : 5);
  if (isOld) before.writeInt32LE(1, HEADER_LENGTH);
  const header = Buffer.alloc(HEADER_LENGTH);
  header.writeInt32LE(HEADER_LENGTH + before.length + document.length, 0);
  header.writeInt32LE(request.readInt32LE(4), 8);
  header.writeInt32LE(isOld ? OP_REPLY : OP_MSG, 12);
  return Buffer.concat([header, before, document]);
}
