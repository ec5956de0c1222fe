import type { MongoClient } from 'mongodb';
import { createMongoClient } from '../../src/adapters/mongodb/client.js';
import { endWithFile } from './cleanup.js';
import {
  MONGO_JAVA_SERVER_VERSION,
  prepareMongoJavaServer,
  startMongoJavaServer,
} from './mongo-java-server/mongo-java-server.js';
import { prepareMongod, startMongod } from './mongod.js';
import { PATIENT } from './patience.js';

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
  /** Starts another one of its kind; `undefined` if somebody else runs the server. */
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

/** Names the candidate and the URL of the server that {@link shareServer} started, as JSON. */
const SHARED = 'ANIMAL_STORE_TEST_SERVER';

let chosen: Promise<TestServer | undefined> | undefined;

/**
 * The server of this run: the one of `MONGODB_TEST_URL`, the one that all files of the run share, or a new one of the
 * first kind that this machine can start. `undefined` if it can start none; with `CI=true` that is an error.
 */
export async function testServer(): Promise<TestServer | undefined> {
  if (chosen === undefined) {
    chosen = chooseServer();
    endWithFile(() => (chosen = undefined));
  }
  return chosen;
}

/**
 * Starts a server that every process that this one starts from now on shares, unless `MONGODB_TEST_URL` names one or a process
 * before has started one. Resolves to what ends it.
 */
export async function shareServer(): Promise<() => Promise<void>> {
  if (process.env['MONGODB_TEST_URL'] || process.env[SHARED]) return async () => undefined;
  const started = await startFirst();
  if (started === undefined) return async () => undefined;
  process.env[SHARED] = JSON.stringify({ name: started.candidate.name, url: started.server.url });
  return async () => started.server.dispose();
}

async function chooseServer(): Promise<TestServer | undefined> {
  const url = process.env['MONGODB_TEST_URL'];
  if (url) return connect('MONGODB_TEST_URL', url, undefined);
  const shared = process.env[SHARED];
  if (shared !== undefined) {
    const { name, url } = JSON.parse(shared) as { name: string; url: string };
    return connect(name, url, CANDIDATES.find((candidate) => candidate.name === name)?.start);
  }
  const started = await startFirst();
  if (started === undefined) return undefined;
  endWithFile(async () => started.server.dispose());
  return connect(started.candidate.name, started.server.url, started.candidate.start);
}

/** The first candidate that this machine can start, started. Prints which one it is, or why there is none. */
async function startFirst(): Promise<{ candidate: Candidate; server: ControllableServer } | undefined> {
  const tried = ['MONGODB_TEST_URL: not set'];
  for (const candidate of CANDIDATES) {
    try {
      await candidate.prepare();
      const server = await candidate.start();
      console.log(`MongoDB tests use ${candidate.name}`);
      return { candidate, server };
    } catch (error) {
      tried.push(`${candidate.name}: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`);
    }
  }
  const message = `MongoDB tests are skipped, as there is no server (${tried.join('; ')})`;
  if (process.env['CI'] === 'true') throw new Error(message);
  console.log(message);
  return undefined;
}

async function connect(name: string, url: string, startPrivate: TestServer['startPrivate']): Promise<TestServer> {
  const client = await createMongoClient(url, { ...PATIENT, serverSelectionTimeoutMS: 15_000 }).connect();
  endWithFile(async () => client.close());
  // Only a mongod tells the commit that it was built from.
  const { version, gitVersion } = await client.db('admin').command({ buildInfo: 1 });
  const description = `${name}, which answers as MongoDB ${String(version)}`;
  return { url, client, description, isMongod: gitVersion !== undefined, startPrivate };
}
