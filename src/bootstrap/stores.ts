import { randomBytes } from 'node:crypto';
import type { ContainerModule } from 'inversify';
import type { Logger } from 'pino';
import type { ServerConfig } from './settings/server-config.js';
import { inMemoryModule } from './in-memory-module.js';

/** A store that is open: the module of its adapter, and what belongs to its life. */
export interface OpenStore {
  readonly module: ContainerModule;
  /** The key that was made for this run, because no other can open the door. */
  readonly apiKey?: string;
  /** Whether the store answers. */
  isReady(): boolean | Promise<boolean>;
  /** Lets go of everything that the store holds open. */
  close(): Promise<void>;
}

/** Opens the store that the configuration names. Only then is the driver of MongoDB loaded. */
export async function openStore(config: ServerConfig, log: Logger): Promise<OpenStore> {
  if (config.store === 'memory') return openMemory(config);
  const { openMongodb } = await import('./mongodb-store.js');
  return openMongodb(config, log);
}

function openMemory({ apiKeys }: ServerConfig): OpenStore {
  const life = { isReady: () => true, close: async () => undefined };
  if (apiKeys.length > 0) return { ...life, module: inMemoryModule(apiKeys) };
  const apiKey = randomBytes(24).toString('base64url');
  return { ...life, module: inMemoryModule([{ name: 'this-run', key: apiKey }]), apiKey };
}
