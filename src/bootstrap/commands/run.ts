import { ConfigError } from '../settings/config-error.js';
import type { Source } from '../settings/read-settings.js';
import { suggestion } from '../settings/suggestion.js';
import { version } from '../version.js';
import type { Command } from './command.js';
import { COMMANDS } from './commands.js';
import { helpOf, overview } from './help.js';

const HELP_FLAGS: readonly string[] = ['--help', '-h'];
const VERSION_FLAGS: readonly string[] = ['--version', '-v'];

/**
 * Runs what the arguments of `animal-store` ask for: a command, its help, or the version.
 *
 * Rejects with a `ConfigError` that lists every fault of the arguments and the environment.
 */
export async function run({ args, env }: Source): Promise<void> {
  const [first = ''] = args;
  if (VERSION_FLAGS.includes(first)) print(`${version}\n`);
  else if (first === 'help') print(helpFor(args.slice(1)));
  else if (args.some((arg) => HELP_FLAGS.includes(arg))) print(helpFor(args.filter((arg) => !arg.startsWith('-'))));
  else {
    const command = commandOf(args);
    if (command === undefined) throw new ConfigError([unknownCommand(args)]);
    await command.execute({ args: args.slice(wordsOf(command).length), env });
  }
}

function helpFor(words: readonly string[]): string {
  if (words.length === 0) return overview(COMMANDS);
  const command = commandOf(words);
  if (command !== undefined) return helpOf(command);
  const group = groupOf(words[0]);
  if (words.length === 1 && group.length > 0) return overview(group);
  throw new ConfigError([unknownCommand(words)]);
}

/** The command that some words begin with. */
function commandOf(words: readonly string[]): Command | undefined {
  return COMMANDS.find((command) => wordsOf(command).every((word, i) => words[i] === word));
}

/** The commands whose names begin with a word and go on: those of `keys`. */
function groupOf(word: string | undefined): readonly Command[] {
  return COMMANDS.filter(({ name }) => name.startsWith(`${word} `));
}

function wordsOf({ name }: Command): readonly string[] {
  return name.split(' ');
}

function unknownCommand([first = '', second = '']: readonly string[]): string {
  const group = groupOf(first);
  return group.length === 0
    ? refusal('', first, [...new Set(COMMANDS.map((command) => wordsOf(command)[0] ?? '')), 'help'])
    : refusal(
        `${first} `,
        second,
        group.map((command) => wordsOf(command)[1] ?? ''),
      );
}

/** Why `prefix` and a word make no command. */
function refusal(prefix: string, word: string, known: readonly string[]): string {
  const choices = `must be one of ${known.map((name) => prefix + name).join(', ')}; see animal-store --help`;
  if (!isName(word))
    return `${prefix === '' ? 'the command' : `${prefix.trimEnd()} is incomplete: the command`} ${choices}`;
  return `${prefix}${word} is not a command${suggestion(word, known, prefix) || `: the command ${choices}`}`;
}

/** Whether a word may be repeated: it looks like the name of a command, not like a secret. */
function isName(word: string): boolean {
  return /^[A-Za-z]+(-[A-Za-z]+)*$/.test(word) && word.length <= 16;
}

function print(text: string): void {
  process.stdout.write(text);
}
