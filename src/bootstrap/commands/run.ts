import { ConfigError } from '../settings/config-error.js';
import type { SettingSources } from '../settings/read-settings.js';
import { suggestion } from '../settings/suggestion.js';
import { version } from '../compiled/manifest.js';
import { defineCommand, type Command } from './command.js';
import { health } from './health.js';
import { helpOf, overview } from './help.js';
import { exportCommand } from './export.js';
import { importCommand } from './import.js';
import { createKey, listKeys, revokeKey, rotateKey } from './keys.js';
import { migrate } from './migrate.js';
import { openapi } from './openapi.js';
import { restore } from './restore.js';
import { serve } from './serve.js';

const HELP_FLAGS: readonly string[] = ['--help', '-h'];
const VERSION_FLAGS: readonly string[] = ['--version', '-v'];

/** Matches words that may be the name of a command. Messages do not repeat any other word, because it may be a secret. */
const COMMAND_WORD = /^(?=.{1,16}$)[A-Za-z]+(?:-[A-Za-z]+)*$/;

/** `a, b or c` */
const CHOICE = new Intl.ListFormat('en-GB', { type: 'disjunction' });

const showVersion = defineCommand({
  name: 'version',
  summary: 'print the version',
  settings: {},
  run: async () => console.log(version),
});

/** Every command, in the order of the help. */
const COMMANDS: readonly Command[] = [
  serve,
  importCommand,
  exportCommand,
  restore,
  createKey,
  listKeys,
  rotateKey,
  revokeKey,
  migrate,
  openapi,
  health,
  showVersion,
];

/**
 * Runs the command that the arguments of `animal-store` name, or prints its help or the version.
 *
 * Rejects with a `ConfigError` that lists every error of the arguments and the environment.
 */
export async function run({ args, env }: SettingSources): Promise<void> {
  const [first = ''] = args;
  if (VERSION_FLAGS.includes(first)) console.log(version);
  else if (first === 'help') process.stdout.write(helpFor(args.slice(1)));
  else if (args.some((arg) => HELP_FLAGS.includes(arg)))
    process.stdout.write(helpFor(args.filter((arg) => !arg.startsWith('-'))));
  else {
    const command = commandIn(args);
    if (command === undefined) throw new ConfigError([unknownCommand(args)]);
    await command.execute({ args: args.slice(command.name.split(' ').length), env });
  }
}

function helpFor(words: readonly string[]): string {
  // Text that goes to a file or another program is not wrapped, so that `grep` finds whole entries.
  const width = process.stdout.isTTY ? process.stdout.columns : Infinity;
  if (words.length === 0 || words[0] === 'help') return overview(COMMANDS, width);
  const command = commandIn(words);
  if (command !== undefined) return helpOf(command, width);
  const group = groupOf(words[0]);
  if (words.length === 1 && group.length > 0) return overview(group, width);
  throw new ConfigError([unknownCommand(words)]);
}

/** The command that some words begin with. */
function commandIn(words: readonly string[]): Command | undefined {
  return COMMANDS.find(({ name }) => name.split(' ').every((word, i) => words[i] === word));
}

/** The commands whose names begin with a word and have another one: those of `keys`. */
function groupOf(word: string | undefined): readonly Command[] {
  return COMMANDS.filter(({ name }) => name.startsWith(`${word} `));
}

/** The error message for words that do not begin with a command. */
function unknownCommand([first = '', second = '']: readonly string[]): string {
  const subcommands = groupOf(first).map(({ name }) => name.slice(first.length + 1));
  const [kind, prefix, word, known] =
    subcommands.length > 0
      ? ['subcommand', `${first} `, second, subcommands]
      : ['command', '', first, [...new Set(COMMANDS.map(({ name }) => name.replace(/ .*/, ''))), 'help']];
  const choices = prefix + CHOICE.format(known);
  if (!COMMAND_WORD.test(word)) return `missing ${kind}: ${choices}`;
  return `${prefix}${word} is not a command${suggestion(word, known, prefix) || `: it must be ${choices}`}`;
}
