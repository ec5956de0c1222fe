import { BSON, type Binary, type Document } from 'mongodb';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { deflateSync, inflateSync } from 'node:zlib';
import { endWithTest } from './cleanup.js';
import { ScramServer } from './scram-server.js';

/** The operation codes of MongoDB's wire protocol. */
const OP_REPLY = 1;
const OP_COMPRESSED = 2012;
const OP_MSG = 2013;
const HEADER_LENGTH = 16;
const ZLIB = 2;

/** The commands of version 1 of MongoDB's Stable API, as its manual lists them. */
const STABLE_COMMANDS = new Set(
  `abortTransaction aggregate bulkWrite collMod commitTransaction count create createIndexes delete drop dropDatabase
  dropIndexes endSessions explain find findAndModify getMore hello insert killCursors listCollections listDatabases
  listIndexes ping refreshSessions update`.split(/\s+/),
);
/** Stages of a pipeline that version 1 lacks. */
const UNSTABLE_STAGES = [
  '$currentOp',
  '$indexStats',
  '$listLocalSessions',
  '$listSessions',
  '$planCacheStats',
  '$search',
];
const API_STRICT_ERROR = { ok: 0, code: 323, codeName: 'APIStrictError' } as const;

/** The commands that need no login. */
const PUBLIC_COMMANDS = new Set(['hello', 'isMaster', 'ismaster', 'ping', 'buildInfo', 'endSessions']);
/** The actions of a role that a command needs, as MongoDB's manual names them. Every other command needs its own name. */
const ACTIONS: Readonly<Record<string, readonly string[]>> = {
  aggregate: ['find'],
  createIndexes: ['createIndex'],
  findAndModify: ['find', 'insert', 'update'],
  delete: ['remove'],
};

/** A user of the database, and what it may do. */
export interface DatabaseUser {
  readonly name: string;
  readonly password: string;
  /** The actions that it may take in a collection; `undefined` stands for the database itself. */
  readonly actionsIn: (collection: string | undefined) => readonly string[];
}

/** A proxy in front of a MongoDB server that adds what the server lacks. It is closed when its test ends. */
export interface WireProxy {
  readonly port: number;
  /** How many messages came compressed by zlib. */
  readonly compressed: () => number;
  /** The commands that came, each with what its message says of the Stable API. */
  readonly commands: readonly { readonly name: string; readonly apiVersion: unknown; readonly apiStrict: unknown }[];
}

/**
 * Starts a proxy that takes messages compressed by zlib, and answers those with compressed ones; and that refuses, as a server
 * does, what `apiStrict` forbids, and what a user may not do.
 *
 * @param users Those who may log in, by SCRAM-SHA-256. @default nobody needs to
 */
export async function startWireProxy(target: number, users?: readonly DatabaseUser[]): Promise<WireProxy> {
  const sockets = new Set<Socket>();
  const commands: { name: string; apiVersion: unknown; apiStrict: unknown }[] = [];
  let compressed = 0;

  /** The result for a command: the message for the server, or the refusal for the client. */
  function judge(
    message: Buffer,
    login: Login | undefined,
  ): { readonly toServer: Buffer } | { readonly toClient: Buffer } {
    if (message.readInt32LE(12) !== OP_MSG) return { toServer: message };
    const { apiVersion, apiStrict, apiDeprecationErrors: _, ...command } = documentOf(message);
    const name = Object.keys(command)[0] ?? '';
    commands.push({ name, apiVersion, apiStrict });
    if (apiStrict === true && !isStable(name, command)) {
      const errmsg = `Provided apiStrict:true, but the command ${name} is not in API Version ${String(apiVersion)}`;
      return { toClient: answerTo(message, { ...API_STRICT_ERROR, errmsg }) };
    }
    const answer = login?.answerTo(name, command);
    if (answer !== undefined) return { toClient: answerTo(message, answer) };
    // mongo-java-server knows the handshake by its old name alone.
    const { hello, ...others } = command;
    return { toServer: withDocument(message, name === 'hello' ? { isMaster: hello as unknown, ...others } : command) };
  }

  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    let compresses = false;
    const login = users && new Login(users);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    onMessages(client, (message) => {
      compresses = message.readInt32LE(12) === OP_COMPRESSED;
      if (compresses) compressed++;
      const fate = judge(compresses ? inflated(message) : message, login);
      if ('toServer' in fate) upstream.write(fate.toServer);
      else client.write(compresses ? deflated(fate.toClient) : fate.toClient);
    });
    onMessages(upstream, (message) => {
      const answer = offeringZlib(message);
      client.write(compresses ? deflated(answer) : answer);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  endWithTest(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return { port: (server.address() as AddressInfo).port, compressed: () => compressed, commands };
}

/** The login of one connection. */
class Login {
  readonly #users: readonly DatabaseUser[];
  #scram: ScramServer | undefined;
  #user: DatabaseUser | undefined;

  constructor(users: readonly DatabaseUser[]) {
    this.#users = users;
  }

  /** The answer to a command that is part of the login, or that its user may not run; `undefined` for a command to run. */
  answerTo(name: string, command: Document): Document | undefined {
    if (name === 'saslStart' || name === 'saslContinue') {
      const payload = Buffer.from((command['payload'] as Binary).value()).toString();
      return (
        this.#continue(name, payload) ?? {
          ok: 0,
          code: 18,
          codeName: 'AuthenticationFailed',
          errmsg: 'Authentication failed.',
        }
      );
    }
    if (PUBLIC_COMMANDS.has(name)) return undefined;
    const target: unknown = command[name];
    const allowed = this.#user?.actionsIn(typeof target === 'string' ? target : undefined) ?? [];
    const needed = [...(ACTIONS[name] ?? [name]), ...(command['remove'] === true ? ['remove'] : [])];
    if (needed.every((action) => allowed.includes(action))) return undefined;
    return { ok: 0, code: 13, codeName: 'Unauthorized', errmsg: `not authorized to execute command ${name}` };
  }

  #continue(name: string, payload: string): Document | undefined {
    if (name === 'saslStart') {
      this.#scram = new ScramServer((user) => this.#users.find((each) => each.name === user)?.password);
      return { ok: 1, conversationId: 1, done: false, payload: Buffer.from(this.#scram.start(payload)) };
    }
    const proof = this.#scram?.finish(payload);
    if (proof === undefined) return undefined;
    this.#user = this.#users.find((each) => each.name === this.#scram?.user);
    return { ok: 1, conversationId: 1, done: true, payload: Buffer.from(proof) };
  }
}

function isStable(name: string, { pipeline = [] }: Document): boolean {
  const stages = (pipeline as readonly Document[]).flatMap((stage) => Object.keys(stage));
  return STABLE_COMMANDS.has(name) && !stages.some((stage) => UNSTABLE_STAGES.includes(stage));
}

/** Calls a listener for each whole message that arrives. */
function onMessages(socket: Socket, listener: (message: Buffer) => void): void {
  let rest = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= HEADER_LENGTH && rest.length >= rest.readInt32LE(0)) {
      const length = rest.readInt32LE(0);
      listener(rest.subarray(0, length));
      rest = rest.subarray(length);
    }
  });
}

/** Where the document of a message begins; `undefined` for a message whose form the proxy does not change. */
function startOf(message: Buffer): number | undefined {
  const code = message.readInt32LE(12);
  if (code === OP_REPLY) return HEADER_LENGTH + 20;
  // Flags, and a section of kind 0.
  if (code === OP_MSG) return HEADER_LENGTH + 5;
  return undefined;
}

function documentOf(message: Buffer): Document {
  const start = startOf(message);
  if (start === undefined) throw new Error(`a message of the kind ${message.readInt32LE(12)} has no document`);
  const document = message.subarray(start, start + message.readInt32LE(start));
  // Numbers and bytes stay as they were sent.
  return BSON.deserialize(document, { promoteValues: false });
}

function withDocument(message: Buffer, document: Document): Buffer {
  const start = startOf(message) ?? 0;
  const end = start + message.readInt32LE(start);
  const whole = Buffer.concat([message.subarray(0, start), BSON.serialize(document), message.subarray(end)]);
  whole.writeInt32LE(whole.length, 0);
  return whole;
}

function answerTo(message: Buffer, document: Document): Buffer {
  const answer = withDocument(message, document);
  answer.writeInt32LE(message.readInt32LE(4), 8);
  return answer;
}

/** The answer to a handshake, which offers zlib, and has the new name of what mongo-java-server says; any other answer as it is. */
function offeringZlib(message: Buffer): Buffer {
  const document = documentOf(message);
  if (!('maxWireVersion' in document)) return message;
  const { ismaster: isWritablePrimary } = document;
  return withDocument(message, { isWritablePrimary: isWritablePrimary as unknown, ...document, compression: ['zlib'] });
}

/** A compressed message as it was before. */
function inflated(message: Buffer): Buffer {
  const compressor = message.readUInt8(HEADER_LENGTH + 8);
  if (compressor !== ZLIB) throw new Error(`the compressor ${compressor} is not zlib`);
  const whole = Buffer.concat([message.subarray(0, HEADER_LENGTH), inflateSync(message.subarray(HEADER_LENGTH + 9))]);
  whole.writeInt32LE(whole.length, 0);
  whole.writeInt32LE(message.readInt32LE(HEADER_LENGTH), 12);
  return whole;
}

function deflated(message: Buffer): Buffer {
  const about = Buffer.alloc(9);
  about.writeInt32LE(message.readInt32LE(12), 0);
  about.writeInt32LE(message.length - HEADER_LENGTH, 4);
  about.writeUInt8(ZLIB, 8);
  const body = deflateSync(message.subarray(HEADER_LENGTH));
  const whole = Buffer.concat([message.subarray(0, HEADER_LENGTH), about, body]);
  whole.writeInt32LE(whole.length, 0);
  whole.writeInt32LE(OP_COMPRESSED, 12);
  return whole;
}
