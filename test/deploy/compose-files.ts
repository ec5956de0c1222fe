import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from '../support/child.js';
import { deployFile } from './known-settings.js';

/** What the tests read of a compose file; its schema checks the rest. */
export interface Compose {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

export interface ComposeService {
  readonly image?: string;
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly mem_limit?: string;
  readonly ports?: readonly string[];
  readonly profiles?: readonly string[];
  readonly stop_grace_period?: string;
  readonly volumes?: readonly string[];
}

/** The names of the compose files in `deploy/compose`. */
export const COMPOSE_FILES = readdirSync(join(ROOT, 'deploy/compose')).filter((file) => /\.ya?ml$/.test(file));

/** A file in `deploy/compose`. */
export function composeFile(file: string): Compose {
  return parse(deployFile(`compose/${file}`), { merge: true }) as Compose;
}
