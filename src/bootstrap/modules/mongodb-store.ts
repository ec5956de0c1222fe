import { DEFAULT_DEADLINE_MS } from '../../adapters/mongodb/operation.js';
import { importWith } from '../optional-package.js';
import { ConfigError } from '../settings/config-error.js';
import { secret, setting, switchFlag } from '../settings/setting.js';
import { milliseconds, text } from '../settings/value-types.js';
import { defineStore } from './built-in-store.js';

/** The store `mongodb`. */
export const mongodbStore = defineStore({
  name: 'mongodb',
  settings: {
    mongodbUrl: secret<string | undefined>(
      'MONGODB_URL',
      'the MongoDB deployment and database; required with the store mongodb',
      text('url'),
      undefined,
    ),
    mongodbDeadline: setting(
      'MONGODB_DEADLINE',
      'how long one operation on MongoDB may take: milliseconds, or a time such as 5s',
      milliseconds(1, 2 ** 31 - 1001),
      DEFAULT_DEADLINE_MS,
    ),
  },
  serveSettings: {
    noMigrate: switchFlag('no-migrate', 'make no indexes in MongoDB; end with an error if one is missing'),
  },
  keepsKeys: true,
  impliedBy: 'mongodbUrl',

  /** Loads the MongoDB driver only if there is a URL to check. */
  async check({ mongodbUrl }) {
    if (mongodbUrl === undefined) return [];
    const { errorOfMongodbUrl } = await importWith(
      'mongodb',
      'MONGODB_URL',
      async () => import('../../adapters/mongodb/mongodb-url.js'),
    );
    const error = errorOfMongodbUrl(mongodbUrl);
    return error === undefined ? [] : [`MONGODB_URL ${error}`];
  },

  async module({ mongodbUrl: url, mongodbDeadline: deadlineMs, noMigrate = false }, { log }) {
    if (url === undefined) throw new ConfigError(['MONGODB_URL is required with the store mongodb']);
    const { mongodbModule } = await import('./mongodb-module.js');
    return mongodbModule({ url, deadlineMs, migrate: !noMigrate, log });
  },
});
