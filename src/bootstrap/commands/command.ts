import {
  commonSettings,
  readSettings,
  type ReadOptions,
  type ReadSettings,
  type SettingSources,
} from '../settings/read-settings.js';
import type { Settings } from '../settings/setting.js';

interface CommandDefinition<S extends Settings, L> extends ReadOptions<S, L> {
  /** Its name: `keys create`. */
  readonly name: string;
  readonly summary: string;
  readonly settings: S;
  /** Runs the command. Called only if all settings are valid. */
  readonly run: (given: ReadSettings<S, L>) => Promise<void>;
}

/** A command of `animal-store`. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  readonly positionals: readonly string[];
  readonly settings: Settings;
  /** Reads the settings, then runs the command. Rejects with a `ConfigError` that lists every error. */
  execute(source: SettingSources): Promise<void>;
}

export function defineCommand<S extends Settings, L>(definition: CommandDefinition<S, L>): Command {
  const { name, summary, positionals = [], settings, load, run } = definition;
  return {
    name,
    summary,
    positionals,
    settings: { ...settings, ...commonSettings(settings) },
    async execute(source) {
      await run(await readSettings(settings, source, { positionals, load }));
    },
  };
}
