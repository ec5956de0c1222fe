import { secret, setting, type Values } from './setting.js';
import { oneOf, text } from './value-types.js';

/** What can keep the animals and the keys. */
export const STORES = ['memory', 'mongodb'] as const;

/** The settings that say where the animals and the keys are. */
export const STORE_SETTINGS = {
  store: setting<(typeof STORES)[number]>('STORE', 'where the animals and the keys are kept', oneOf(STORES), 'memory'),
  mongodbUrl: secret<string | undefined>(
    'MONGODB_URL',
    'the MongoDB deployment and database; needed with the store mongodb',
    text('url'),
    undefined,
  ),
};

const MONGODB_URL_RULE =
  'must be mongodb:// or mongodb+srv://, then [user:password@]host[:port][/database][?options], reserved characters percent-encoded';

/** What is wrong with the settings of a store together. Loads the MongoDB driver only if there is a URL for it to check. */
export async function storeFaults({ store, mongodbUrl }: Values<typeof STORE_SETTINGS>): Promise<readonly string[]> {
  if (mongodbUrl === undefined) return store === 'mongodb' ? ['MONGODB_URL is needed with the store mongodb'] : [];
  const { isMongodbUrl } = await import('../../adapters/mongodb/mongodb-client.js');
  return isMongodbUrl(mongodbUrl) ? [] : [`MONGODB_URL ${MONGODB_URL_RULE}`];
}
