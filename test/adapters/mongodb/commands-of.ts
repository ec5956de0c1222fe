import type { CommandStartedEvent, Db, Document, MongoClient } from 'mongodb';
import { createMongoClient } from '../../../src/adapters/mongodb/mongodb-client.js';
import type { MongodbInTests } from '../../support/use-mongodb.js';

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

/** Called in a `describe`: each of its tests has a new database, and a client of it for {@link commandsOf}. */
export function useWatchedDatabase(mongodb: MongodbInTests): { client(): MongoClient; db(): Db } {
  let client: MongoClient;
  let db: Db;
  beforeEach(() => {
    client = createMongoClient(mongodb.server().url, { monitorCommands: true });
    db = client.db(mongodb.createDatabase().databaseName);
  });
  afterEach(async () => client.close());
  return { client: () => client, db: () => db };
}
