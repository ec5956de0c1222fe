import type { Command } from './command.js';
import { createKey, listKeys, revokeKey, rotateKey } from './keys.js';
import { serve } from './serve.js';

/** Every command, in the order of the help. */
export const COMMANDS: readonly Command[] = [serve, createKey, listKeys, rotateKey, revokeKey];
