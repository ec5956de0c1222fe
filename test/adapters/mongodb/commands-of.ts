import type { CommandStartedEvent, Db, Document, MongoClient } from 'mongodb';
import { createMongoClient } from '../../../src/adapters/mongodb/client.js';
import type { MongodbInTests } from '../../support/use-mongodb.js';
import { PATIENT } from '../../support/patience.js';

/** A command that a client sent. */
export interface SentCommand {
  readonly name: string;
  readonly command: Document;
}

/** The commands that a client, made with `monitorCommands`, sends while `doing` runs. */
export async function commandsOf(client: MongoClient, doing: () => Promise<unknown>): Promise<SentCommand[]> {
  const sent: SentCommand[] = [];
  const note = ({ commandName, command }: CommandStartedEvent): number => sent.push({ name: commandName, command });
  client.on('commandStarted', note);
  try {
    await doing();
  } finally {
    client.off('commandStarted', note);
  }
  return sent;
}

/** A database of a test, and a client of it for {@link commandsOf}. */
interface WatchedDatabase {
  client(): MongoClient;
  db(): Db;
}

/** Called in a `describe`: each of its tests has a database of its own. */
export function useWatchedDatabase(mongodb: MongodbInTests): WatchedDatabase {
  let client: MongoClient;
  let db: Db;
  beforeEach(() => {
    client = createMongoClient(mongodb.server().url, { ...PATIENT, monitorCommands: true });
    db = client.db(mongodb.createDatabase().databaseName);
  });
  afterEach(async () => client.close());
  return { client: () => client, db: () => db };
}
