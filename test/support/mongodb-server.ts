import type { MongoClient } from 'mongodb';
import { createMongoClient } from '../../src/adapters/mongodb/mongodb-client.js';
import {
  MONGO_JAVA_SERVER_VERSION,
  prepareMongoJavaServer,
  startMongoJavaServer,
} from './mongo-java-server/mongo-java-server.js';
import { prepareMongod, startMongod } from './mongod.js';

/** A server that a test has to itself. Its port and its data stay the same from stop to start. */
export interface ControllableServer {
  readonly port: number;
  readonly url: string;
  /** Ends it cleanly. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** SIGSTOP: its connections stay open, and nothing is answered any more once this has resolved. */
  pause(): Promise<void>;
  resume(): void;
  /** Ends it and removes its data. */
  dispose(): Promise<void>;
}

/** The server that all tests of one run share. */
export interface TestServer {
  readonly url: string;
  /** Connected to it, with the options that the command uses too. */
  readonly client: MongoClient;
  /** Its kind and version. */
  readonly description: string;
  /** Whether it is MongoDB's own server, with explain plans, atomic counters, and a replica set. */
  readonly isMongod: boolean;
  /** Starts another one of its kind; `undefined` where somebody else runs the server. */
  readonly startPrivate: (() => Promise<ControllableServer>) | undefined;
}

interface Candidate {
  readonly name: string;
  prepare(): Promise<void>;
  start(): Promise<ControllableServer>;
}

const CANDIDATES: readonly Candidate[] = [
  { name: 'mongod', prepare: prepareMongod, start: startMongod },
  {
    name: `mongo-java-server ${MONGO_JAVA_SERVER_VERSION}`,
    prepare: prepareMongoJavaServer,
    start: startMongoJavaServer,
  },
];

let shared: Promise<TestServer | undefined> | undefined;
const closers: (() => Promise<unknown>)[] = [];

/**
 * The server of this run: that of `MONGODB_TEST_URL`, or the first of the candidates that can be had. Chosen once, and
 * printed. `undefined` where there is none; with `CI=true` that is an error.
 */
export async function testServer(): Promise<TestServer | undefined> {
  return (shared ??= chooseServer());
}

async function chooseServer(): Promise<TestServer | undefined> {
  const url = process.env['MONGODB_TEST_URL'];
  if (url) return connect('MONGODB_TEST_URL', url, undefined);
  const tried = ['MONGODB_TEST_URL: not set'];
  for (const { name, prepare, start } of CANDIDATES) {
    try {
      await prepare();
      const server = await start();
      closers.push(async () => server.dispose());
      return await connect(name, server.url, start);
    } catch (error) {
      tried.push(`${name}: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`);
    }
  }
  const message = `MongoDB tests are skipped, as there is no server (${tried.join('; ')})`;
  if (process.env['CI'] === 'true') throw new Error(message);
  console.log(message);
  return undefined;
}

async function connect(name: string, url: string, startPrivate: TestServer['startPrivate']): Promise<TestServer> {
  const client = await createMongoClient(url, { serverSelectionTimeoutMS: 15_000 }).connect();
  closers.unshift(async () => client.close());
  const { version, gitVersion } = await client.db('admin').command({ buildInfo: 1 });
  const isMongod = typeof gitVersion === 'string';
  const description = `${name}, which answers as MongoDB ${String(version)}`;
  console.log(`MongoDB tests use ${description}${isMongod ? '' : '; tests that need a true mongod are skipped'}`);
  return { url, client, description, isMongod, startPrivate };
}

if (typeof globalThis.after === 'function') {
  globalThis.after(async function stopServers() {
    this.timeout(30_000);
    for (const close of closers.splice(0)) await close();
  });
}
