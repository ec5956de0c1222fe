import { BUILT_IN_SETTINGS, errorsOfUrl } from '../modules/built-in-stores.js';
import { ConfigError } from '../settings/config-error.js';
import { switchFlag } from '../settings/setting.js';
import { defineCommand } from './command.js';

const { mongodbUrl, mongodbDeadline } = BUILT_IN_SETTINGS;

export const migrate = defineCommand({
  name: 'migrate',
  summary: 'make the indexes that the MongoDB database needs',
  settings: {
    validate: switchFlag('validate', 'also set validators, which refuse malformed documents of other programs'),
    dryRun: switchFlag('dry-run', 'print the changes, and make none'),
    mongodbUrl,
    mongodbDeadline,
  },
  async load({ mongodbUrl: url }) {
    if (url === undefined) throw new ConfigError(['MONGODB_URL is required']);
    const errors = await errorsOfUrl(url);
    if (errors.length > 0) throw new ConfigError(errors);
    return url;
  },
  async run({ values: { mongodbDeadline: deadlineMs, validate, dryRun }, loaded: url }) {
    const { connectMongoClient, retryWhileUnavailable } =
      await import('../../adapters/mongodb/connect-mongo-client.js');
    const { plannedChanges } = await import('../../adapters/mongodb/schema/migration.js');
    const { databaseNameOf } = await import('../../adapters/mongodb/mongodb-url.js');
    const { withConfigError } = await import('../modules/mongodb-preparation.js');
    const client = await connectMongoClient(url, { deadlineMs });
    try {
      const db = client.db(databaseNameOf(url));
      const options = { validate, deadlineMs };
      const changes = await withConfigError(retryWhileUnavailable({}, async () => plannedChanges(db, options)));
      for (const { description, apply } of changes) {
        if (!dryRun) await apply();
        console.log(dryRun ? `would ${description}` : `done: ${description}`);
      }
      if (changes.length === 0) console.log('nothing to change');
    } finally {
      await client.close();
    }
  },
});
