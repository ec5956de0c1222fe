import type { Command } from 'commander';
import type { Container } from 'inversify';
import type { TransferPorts } from '../../application/transfer/store-record.js';
import { ConfigError } from '../settings/config-error.js';
import { givenOptions, readSecrets, type STORE_SETTINGS, type StoreUrls, type Values } from '../settings/settings.js';
import type { StoreAccess } from '../stores/store-access.js';
import { TOKENS } from '../tokens.js';
import { patientCatalogue, patientRegistry } from './patience.js';

type StoreOptions = Values<typeof STORE_SETTINGS>;

/** Rejects with a `ConfigError` if no store is named, if it cannot be loaded, or if it ends with the command. */
export async function withStore(
  command: Command,
  access: StoreAccess,
  use: (container: Container) => Promise<void>,
): Promise<void> {
  const urls = readSecrets.storeUrls();
  const store = storeOf(command, urls);
  if (store === undefined)
    throw new ConfigError('--store, --sqlite-file, MONGODB_URL or POSTGRES_URL must name the store');
  if (store === 'memory')
    throw new ConfigError('--store memory begins empty, and ends with the command: use sqlite, mongodb or postgres');
  const { createLog } = await import('../log/log.js');
  const { closeAfterError, createStorage } = await import('../stores/storage.js');
  const log = await createLog('warn');
  const container = await createStorage({ ...givenOptions<StoreOptions>(command), store, ...urls }, log, access);
  try {
    await use(container);
  } catch (error) {
    await closeAfterError(container, log, error);
    throw error;
  }
  await container.unbindAllAsync();
}

/** Another setting may imply the store. A flag wins over variables. */
export function storeOf(command: Command, { mongodbUrl, postgresUrl }: Partial<StoreUrls> = {}): string | undefined {
  const { store } = command.opts<StoreOptions>();
  const fileSource = command.getOptionValueSource('sqliteFile');
  if (fileSource === 'cli' && command.getOptionValueSource('store') !== 'cli') return 'sqlite';
  if (store !== undefined) return store;
  if (mongodbUrl !== undefined) return 'mongodb';
  if (postgresUrl !== undefined) return 'postgres';
  return fileSource === 'env' ? 'sqlite' : undefined;
}

export async function portsOf(container: Container): Promise<TransferPorts> {
  const catalogue = patientCatalogue(await container.getAsync(TOKENS.petCatalogue));
  if (!container.isBound(TOKENS.apiKeyRegistry)) return { catalogue };
  return { catalogue, registry: patientRegistry(await container.getAsync(TOKENS.apiKeyRegistry)) };
}
