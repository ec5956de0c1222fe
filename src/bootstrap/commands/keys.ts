import { Option, type Command } from 'commander';
import type { ApiKeyManager } from '../../application/api-keys/api-key-manager.js';
import { stateOfApiKey, type ApiKey, type IssuedApiKey } from '../../domain/api-keys/api-key.js';
import { isAnimalStoreError } from '../../domain/errors.js';
import { ConfigError } from '../settings/config-error.js';
import { addSettings, STORE_SETTINGS } from '../settings/settings.js';
import type { StoreAccess } from '../stores/store-access.js';
import { TOKENS } from '../tokens.js';
import { apiKeyName, keyTime } from '../settings/values.js';
import { print } from './print.js';
import { withStore } from './store.js';

export function addKeys(program: Command): void {
  const keys = program.command('keys').summary('create, list, rotate and revoke API keys');

  const create = keys
    .command('create')
    .description('Creates an API key and prints it once.')
    .requiredOption('--name <name>', 'who the key is for', apiKeyName)
    .option('--expires <time>', 'how long the key works, such as 90d or 12h (default: it never expires)', keyTime(1));
  addSettings(create, STORE_SETTINGS).action(async ({ name, expires }: { name: string; expires?: number }) =>
    withKeys(create, 'prepare', async (manager) => {
      await printNew(await manager.issue({ name, lifetimeMs: expires }));
      // The key is there and printed, whatever becomes of this.
      const active = await activeKeysOf(manager, name).catch(() => 1);
      if (active > 1) process.stderr.write(`${name} has ${active} active keys now: keys list shows them\n`);
    }),
  );

  const list = keys
    .command('list')
    .description('Lists the API keys.')
    .option('--json', 'print a JSON array, with times in ISO 8601');
  addSettings(list, STORE_SETTINGS).action(async ({ json }: { json?: true }) =>
    withKeys(list, 'read-only', async (manager) => {
      const found: ApiKey[] = [];
      for await (const key of manager.list()) found.push(key);
      await print(`${json ? asJson(found) : asTable(found)}\n`);
    }),
  );

  const rotate = keys
    .command('rotate')
    .argument('<id>', 'the id of the key, as keys list shows it')
    .description('Replaces a key. The old one keeps working for an overlap.')
    .addOption(
      new Option('--overlap <time>', 'how long the old key keeps working, such as 12h or 0s')
        .argParser(keyTime(0))
        .default(86_400_000, '24h'),
    );
  addSettings(rotate, STORE_SETTINGS).action(async (id: string, { overlap }: { overlap: number }) =>
    withKeys(rotate, 'existing', async (manager) =>
      printNew(await ofKnownKey(manager.rotate(id, { overlapMs: overlap }))),
    ),
  );

  const revoke = keys
    .command('revoke')
    .argument('<id>', 'the id of the key, as keys list shows it')
    .description('Revokes a key permanently.');
  addSettings(revoke, STORE_SETTINGS).action(async (id: string) =>
    withKeys(revoke, 'existing', async (manager) => {
      await ofKnownKey(manager.revoke(id));
      await print(`revoked ${id}\n`);
    }),
  );
}

async function withKeys(
  command: Command,
  access: StoreAccess,
  use: (manager: ApiKeyManager) => Promise<void>,
): Promise<void> {
  await withStore(command, access, async (container) => {
    if (!container.isBound(TOKENS.apiKeyRegistry))
      throw new ConfigError('--store keeps no API keys: it does not bind TOKENS.apiKeyRegistry');
    await use(await container.getAsync(TOKENS.apiKeyManager));
  });
}

async function ofKnownKey<T>(change: Promise<T>): Promise<T> {
  return change.catch((error: unknown) => {
    if (!isAnimalStoreError(error) || error.code !== 'api_key_not_found') throw error;
    throw new Error(`${error.message}: animal-store keys list shows the id of each key`, { cause: error });
  });
}

async function activeKeysOf(manager: ApiKeyManager, name: string): Promise<number> {
  let count = 0;
  for await (const key of manager.list()) {
    if (key.name === name && stateOfApiKey(key, new Date()) === 'active') count++;
  }
  return count;
}

async function printNew({ id, name, expiresAt, key }: IssuedApiKey): Promise<void> {
  const lines = [
    `id       ${id}`,
    `name     ${name}`,
    `expires  ${timeText(expiresAt)}`,
    `key      ${key}`,
    'Keep the key: it is not stored, and cannot be shown again.',
  ];
  await print(`${lines.join('\n')}\n`).catch((cause: unknown) => {
    throw new Error(`the key ${id} was not printed; revoke it: animal-store keys revoke ${id}`, { cause });
  });
}

function timeText(time: Date | undefined): string {
  if (time === undefined) return 'never';
  return `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** Names come last, because they may be long. */
function asTable(keys: readonly ApiKey[]): string {
  const rows = [
    ['ID', 'CREATED', 'STATE', 'NAME'],
    ...keys.map((key) => [key.id, timeText(key.createdAt), stateText(key), key.name]),
  ];
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')).join('\n');
}

function asJson(keys: readonly ApiKey[]): string {
  const entries = keys.map((key) => {
    const { id, name, createdAt, expiresAt, revokedAt } = key;
    return { id, name, state: stateOfApiKey(key, new Date()), createdAt, expiresAt, revokedAt };
  });
  return JSON.stringify(entries, null, 2);
}

function stateText(key: ApiKey): string {
  const state = stateOfApiKey(key, new Date());
  const { revokedAt, expiresAt } = key;
  if (state === 'revoked') return `revoked ${timeText(revokedAt)}`;
  if (state === 'expired') return `expired ${timeText(expiresAt)}`;
  return expiresAt === undefined ? state : `${state} until ${timeText(expiresAt)}`;
}
