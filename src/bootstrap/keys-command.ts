import { MongoApiKeys } from '../adapters/mongodb/mongo-api-keys.js';
import { stateOfApiKey, type ApiKey, type IssuedApiKey } from '../domain/api-key.js';
import type { ApiKeyRegistry } from '../domain/api-keys.js';
import { createFaults, KEYS_SETTINGS, keysFaults } from './keys-settings.js';
import { openDatabase } from './mongodb-store.js';
import { ConfigError, readSettings, type Source } from './read-settings.js';

const ACTIONS = { create, list, rotate, revoke };

/** `animal-store keys`: makes, lists, rotates and revokes the API keys of a MongoDB database. */
export async function keys([action = '', ...args]: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const run = Object.entries(ACTIONS).find(([name]) => name === action)?.[1];
  if (run === undefined) throw new ConfigError([`keys must be followed by one of ${Object.keys(ACTIONS).join(', ')}`]);
  await run({ args, env });
}

async function create(source: Source): Promise<void> {
  const { values } = await readSettings(KEYS_SETTINGS.create, source, { check: createFaults });
  const { mongodbUrl, name = '', expires } = values;
  await withKeys(mongodbUrl, async (apiKeys) => printNew(await apiKeys.create({ name, lifetimeMs: expires })));
}

async function list(source: Source): Promise<void> {
  const { values } = await readSettings(KEYS_SETTINGS.list, source, { check: keysFaults });
  await withKeys(values.mongodbUrl, async (apiKeys) => {
    print(
      ['ID              ', 'CREATED                 ', 'STATE                                  ', 'NAME'].join('  '),
    );
    for await (const key of allKeysOf(apiKeys))
      print([key.id.padEnd(16), key.createdAt.toISOString(), stateOf(key).padEnd(39), key.name].join('  '));
  });
}

async function rotate(source: Source): Promise<void> {
  const { values, positionals } = await readSettings(KEYS_SETTINGS.rotate, source, {
    check: keysFaults,
    positionals: ['ID'],
  });
  const [id = ''] = positionals;
  await withKeys(values.mongodbUrl, async (apiKeys) =>
    printNew(await apiKeys.rotate(id, { overlapMs: values.overlap })),
  );
}

async function revoke(source: Source): Promise<void> {
  const { values, positionals } = await readSettings(KEYS_SETTINGS.revoke, source, {
    check: keysFaults,
    positionals: ['ID'],
  });
  const [id = ''] = positionals;
  await withKeys(values.mongodbUrl, async (apiKeys) => {
    await apiKeys.revoke(id);
    print(`revoked ${id}`);
  });
}

async function withKeys(url: string | undefined, use: (apiKeys: ApiKeyRegistry) => Promise<void>): Promise<void> {
  const { db, close } = await openDatabase(url);
  try {
    const apiKeys = new MongoApiKeys(db);
    await apiKeys.init();
    await use(apiKeys);
  } finally {
    await close();
  }
}

async function* allKeysOf(apiKeys: ApiKeyRegistry): AsyncGenerator<ApiKey> {
  let after: string | undefined;
  do {
    const { keys, next } = await apiKeys.list({ limit: 100, ...(after !== undefined && { after }) });
    yield* keys;
    after = next;
  } while (after !== undefined);
}

function stateOf(key: ApiKey): string {
  const state = stateOfApiKey(key, new Date());
  if (state === 'revoked') return `revoked ${key.revokedAt?.toISOString()}`;
  if (key.expiresAt === undefined) return state;
  return `${state === 'in force' ? 'in force until' : state} ${key.expiresAt.toISOString()}`;
}

function printNew({ id, name, expiresAt, key }: IssuedApiKey): void {
  print(`id       ${id}\nname     ${name}\nexpires  ${expiresAt?.toISOString() ?? 'never'}\nkey      ${key}`);
  print('Keep the key: it is not stored, and cannot be shown again.');
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
