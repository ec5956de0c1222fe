import { importWith } from '../optional-package.js';
import { ConfigError } from '../settings/config-error.js';
import type { BuiltInStore } from './built-in-store.js';

/** The store `mongodb`. */
export const mongodbStore: BuiltInStore = {
  name: 'mongodb',
  persistentSettings: ['mongodbUrl', 'mongodbDeadline'],
  keepsKeys: true,
  impliedBy: 'mongodbUrl',

  check: async ({ mongodbUrl }) => (mongodbUrl === undefined ? [] : errorsOfUrl(mongodbUrl)),

  async module({ mongodbUrl: url, mongodbDeadline: deadlineMs, noMigrate }, { log }) {
    if (url === undefined) throw new ConfigError(['MONGODB_URL is required with the store mongodb']);
    const { mongodbModule } = await import('./mongodb-module.js');
    return mongodbModule({ url, deadlineMs, migrate: !noMigrate, log });
  },
};

/** The errors of a `MONGODB_URL`, a line for each. Loads the MongoDB driver, which knows what a URL may contain. */
export async function errorsOfUrl(url: string): Promise<readonly string[]> {
  const { errorOfMongodbUrl } = await importWith(
    'mongodb',
    'MONGODB_URL',
    async () => import('../../adapters/mongodb/mongodb-url.js'),
  );
  const error = errorOfMongodbUrl(url);
  return error === undefined ? [] : [`MONGODB_URL ${error}`];
}
