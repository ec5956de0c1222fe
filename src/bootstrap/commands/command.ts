import { readSettings, type ReadSettings, type Source } from '../settings/read-settings.js';
import type { Settings, Values } from '../settings/setting.js';

/** What defines a command. */
interface CommandDefinition<S extends Settings> {
  /** How it is called: `keys create`. */
  readonly name: string;
  /** What it does, in a few words. */
  readonly summary: string;
  /** The names of the words that it takes, each of them needed. @default none */
  readonly words?: readonly string[];
  readonly settings: S;
  /** Finds what is wrong with the settings together, and returns a line for each fault. */
  readonly check?: (values: Values<S>) => readonly string[] | Promise<readonly string[]>;
  /** Does what the command does, once its settings are free of faults. */
  readonly run: (given: ReadSettings<S>, source: Source) => Promise<void>;
}

/** A command of `animal-store`. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  readonly words: readonly string[];
  readonly settings: Settings;
  /** Reads the settings, then runs the command. Rejects with a `ConfigError` that lists every fault. */
  execute(source: Source): Promise<void>;
}

/** Makes a command. */
export function defineCommand<S extends Settings>(definition: CommandDefinition<S>): Command {
  const { name, summary, words = [], settings, check, run } = definition;
  return {
    name,
    summary,
    words,
    settings,
    async execute(source) {
      await run(await readSettings(settings, source, { check, words }), source);
    },
  };
}
