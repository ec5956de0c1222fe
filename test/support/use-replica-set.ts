import type { MongoClient } from 'mongodb';
import { createMongoClient } from '../../src/adapters/mongodb/client.js';
import { isUnavailable } from '../../src/adapters/mongodb/errors.js';
import { testServer, type TestServer } from './mongodb-server.js';
import { skip } from './skip.js';
import { until } from './until.js';
import { directUrl } from './use-mongodb.js';

const MEMBERS = 3;
/** The error code with which a primary refuses to be frozen. */
const NOT_SECONDARY = 95;

/** What {@link useReplicaSetOfThree} provides to the tests of its suite. */
export interface ReplicaSetInTests {
  url(): string;
  /** The host and port of the primary; `undefined` while there is none. */
  primary(): Promise<string | undefined>;
  /** Makes the primary step down, and keeps it from standing for election for so many seconds. */
  stepDown(seconds: number): Promise<void>;
  /** Keeps the secondaries from standing for election for so many seconds. */
  freezeSecondaries(seconds: number): Promise<void>;
}

/**
 * Call it in a `describe`: its tests run on the replica set that `MONGODB_TEST_URL` names, by its `mongodb://` URL and with
 * a user, if it needs one, who may administer the cluster. They are skipped if it does not name one of three members or
 * more. After each test the set has a primary again.
 */
export function useReplicaSetOfThree(): ReplicaSetInTests {
  let server: TestServer | undefined;
  const members = new Map<string, MongoClient>();

  before(async function chooseReplicaSet() {
    this.timeout(180_000);
    const need = 'it needs a replica set of three members at MONGODB_TEST_URL';
    if (!process.env['MONGODB_TEST_URL']) skip(this, `${need}, which is not set`);
    server = await testServer();
    const { hosts = [] } = (await server?.client.db('admin').command({ hello: 1 })) as { readonly hosts?: string[] };
    if (hosts.length < MEMBERS) skip(this, `${need}, which has ${hosts.length}`);
    for (const host of hosts) members.set(host, createMongoClient(directUrl(inUse().url, host)));
  });
  afterEach(async function waitForPrimary() {
    this.timeout(180_000);
    await Promise.all([...members.values()].map(unfreeze));
    await until(async () => (await primary()) !== undefined);
  });
  after(async () => Promise.all([...members.values()].map(async (member) => member.close())));

  const inUse = (): TestServer => {
    if (server === undefined) throw new Error('there is no replica set');
    return server;
  };
  const primary = async (): Promise<string | undefined> => {
    const answers = await Promise.all([...members].map(async ([host, member]) => (await isPrimary(member)) && host));
    return answers.find((host) => host !== false);
  };
  return {
    url: () => inUse().url,
    primary,
    async stepDown(seconds) {
      await inUse().client.db('admin').command({ replSetStepDown: seconds, force: true });
    },
    async freezeSecondaries(seconds) {
      const current = await primary();
      const secondaries = [...members].filter(([host]) => host !== current);
      await Promise.all(secondaries.map(async ([, member]) => member.db('admin').command({ replSetFreeze: seconds })));
    },
  };
}

/** Whether a member is the primary. One that gives no answer, as during an election, is not. */
async function isPrimary(member: MongoClient): Promise<boolean> {
  try {
    const { isWritablePrimary } = await member.db('admin').command({ hello: 1 });
    return isWritablePrimary === true;
  } catch (error) {
    if (isUnavailable(error)) return false;
    throw error;
  }
}

/** Lets a member stand for election again, unless it is the primary. */
async function unfreeze(member: MongoClient): Promise<void> {
  try {
    await member.db('admin').command({ replSetFreeze: 0 });
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== NOT_SECONDARY) throw error;
  }
}
