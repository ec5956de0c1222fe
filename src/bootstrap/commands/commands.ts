import type { Command } from './command.js';
import { createKey, listKeys, revokeKey, rotateKey } from './keys.js';
import { migrate } from './migrate.js';
import { serve } from './serve.js';

/** Every command, in the order of the help. */
export const COMMANDS: readonly Command[] = [serve, migrate, createKey, listKeys, rotateKey, revokeKey];
