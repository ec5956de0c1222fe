import { mongodbStore } from '../modules/mongodb-store.js';
import { ConfigError } from '../settings/config-error.js';
import { switchFlag, type Values } from '../settings/setting.js';
import { defineCommand } from './command.js';

const SETTINGS = {
  validate: switchFlag('validate', 'also set validators, which refuse malformed documents of other programs'),
  dryRun: switchFlag('dry-run', 'print the changes, and make none'),
  ...mongodbStore.settings,
};

/** `animal-store migrate`. */
export const migrate = defineCommand({
  name: 'migrate',
  summary: 'make the indexes that the MongoDB database needs',
  settings: SETTINGS,
  load: checkedUrl,
  run: async ({ values, loaded }) => run(loaded, values),
});

async function checkedUrl(values: Values<typeof SETTINGS>): Promise<string> {
  if (values.mongodbUrl === undefined) throw new ConfigError(['MONGODB_URL is required']);
  const errors = (await mongodbStore.check?.(values, true)) ?? [];
  if (errors.length > 0) throw new ConfigError(errors);
  return values.mongodbUrl;
}

async function run(url: string, { mongodbDeadline, validate, dryRun }: Values<typeof SETTINGS>): Promise<void> {
  const { connectMongoClient, retryWhileUnavailable } = await import('../../adapters/mongodb/connect-mongo-client.js');
  const { plannedChanges } = await import('../../adapters/mongodb/schema/migration.js');
  const { databaseNameOf } = await import('../../adapters/mongodb/mongodb-url.js');
  const { withConfigError } = await import('../modules/mongodb-preparation.js');
  const client = await connectMongoClient(url, { deadlineMs: mongodbDeadline });
  try {
    const db = client.db(databaseNameOf(url));
    const options = { validate, deadlineMs: mongodbDeadline };
    const changes = await withConfigError(retryWhileUnavailable({}, async () => plannedChanges(db, options)));
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
