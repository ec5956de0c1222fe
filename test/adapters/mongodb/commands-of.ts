import type { CommandStartedEvent, Document, MongoClient } from 'mongodb';

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
