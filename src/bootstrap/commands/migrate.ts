import { ConfigError } from '../settings/config-error.js';
import { switchFlag, type Values } from '../settings/setting.js';
import { STORAGE_SETTINGS } from '../settings/storage-settings.js';
import { defineCommand } from './command.js';

const { mongodbUrl, mongodbDeadline } = STORAGE_SETTINGS;

const SETTINGS = {
  validate: switchFlag('validate', 'also set validators, which refuse malformed documents of other programs'),
  dryRun: switchFlag('dry-run', 'print the changes, and make none'),
  mongodbUrl,
  mongodbDeadline,
};

/** `animal-store migrate`. */
export const migrate = defineCommand({
  name: 'migrate',
  summary: 'make the indexes that the MongoDB database needs',
  settings: SETTINGS,
  load: async (values) => checkedUrl(values.mongodbUrl),
  run: async ({ values, loaded }) => run(loaded, values),
});

async function checkedUrl(url: string | undefined): Promise<string> {
  if (url === undefined) throw new ConfigError(['MONGODB_URL is needed']);
  const { faultOfMongodbUrl } = await import('../../adapters/mongodb/mongodb-client.js');
  const fault = faultOfMongodbUrl(url);
  if (fault !== undefined) throw new ConfigError([`MONGODB_URL ${fault}`]);
  return url;
}

async function run(url: string, { mongodbDeadline, validate, dryRun }: Values<typeof SETTINGS>): Promise<void> {
  const { connectMongoClient } = await import('../../adapters/mongodb/connect-mongo-client.js');
  const { plannedChanges } = await import('../../adapters/mongodb/migration.js');
  const { databaseNameOf } = await import('../../adapters/mongodb/mongodb-client.js');
  const client = await connectMongoClient(url, { deadlineMs: mongodbDeadline });
  try {
    const changes = await plannedChanges(client.db(databaseNameOf(url)), {
      validate,
      deadlineMs: mongodbDeadline,
    });
    for (const { description, apply } of changes) {
      if (!dryRun) await apply();
      print(dryRun ? `would ${description}` : `done: ${description}`);
    }
    if (changes.length === 0) print('nothing to change');
  } finally {
    await client.close();
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
