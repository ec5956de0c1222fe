import { Command, CommanderError } from 'commander';
import { version } from '../compiled/manifest.js';
import { ConfigError } from '../settings/config-error.js';
import { loadEnvironment } from '../settings/environment.js';
import { addExport } from './export.js';
import { addHealth } from './health.js';
import { addImport } from './import.js';
import { addKeys } from './keys.js';
import { addOpenApi } from './openapi.js';
import { print } from './print.js';
import { addRestore } from './restore.js';
import { addServe } from './serve.js';

const EXAMPLES = `
Examples:
  animal-store serve
  animal-store keys create --name front-end --sqlite-file shop.db
  animal-store serve --sqlite-file shop.db
  animal-store import animals.csv --sqlite-file shop.db
  animal-store export --sqlite-file shop.db | animal-store restore - --store mongodb

Exit codes:
  0  done
  1  failed
  2  the command line or the configuration is invalid`;

const SECRETS = `
Flags override environment variables. Secrets have no flags, but variables, or files that variables name:
  API_KEYS, API_KEYS_FILE          the keys of the server, comma-separated, each name:key
  MONGODB_URL, MONGODB_URL_FILE    the MongoDB deployment and database
  POSTGRES_URL, POSTGRES_URL_FILE  the PostgreSQL servers and database
  API_KEY, API_KEY_FILE            the key for import --url`;

/** Rejects with a `ConfigError` if an argument or a variable is invalid. */
export async function run(args: readonly string[]): Promise<void> {
  loadEnvironment(args);
  let output = '';
  const program = new Command('animal-store')
    .description('A server for a catalogue of animals, and the commands to manage its store.')
    .addHelpText('after', EXAMPLES)
    .addHelpText('afterAll', SECRETS)
    .helpOption('-h, --help', 'print the help of a command')
    .helpCommand('help [command]', 'print this help, or that of a command')
    .version(version, '-v, --version', 'print the version')
    // Commands inherit this only if it is set before they are added.
    .exitOverride()
    .configureOutput({ writeOut: (text) => (output += text), outputError: () => undefined });
  addServe(program);
  addImport(program);
  addExport(program);
  addRestore(program);
  addKeys(program);
  addOpenApi(program);
  addHealth(program);
  program
    .command('version')
    .summary('print the version')
    .action(async () => print(`${version}\n`));
  try {
    await program.parseAsync(withHelp(program, args), { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) throw new ConfigError(messageOf(error));
  }
  if (output !== '') await print(output);
}

/**
 * Adds `--help` for the word `help`, because commander's own `help` knows no subcommands and passes over unknown ones, and for a
 * group without a command. A word that is no command comes last: commander would not refuse it before `--help`.
 */
function withHelp(program: Command, args: readonly string[]): readonly string[] {
  const names: string[] = [];
  let command = program;
  let isAsked = false;
  let depth = 0;
  for (const word of args) {
    if (command.commands.length === 0 || word.startsWith('-')) break;
    depth++;
    if (word === 'help') {
      isAsked = true;
      continue;
    }
    names.push(word);
    const found = command.commands.find((each) => each.name() === word);
    if (found === undefined) return names;
    command = found;
  }
  const isGroupAlone = command.commands.length > 0 && depth === args.length;
  return isAsked || isGroupAlone ? [...names, ...args.slice(depth), '--help'] : args;
}

/** Of an unknown flag or word, the message has the letters and hyphens that it begins with: the rest may be a secret. */
function messageOf({ code, message }: CommanderError): string {
  if (code === 'commander.help') return 'a command is missing: see animal-store help';
  const text = message.replace(/^error: /, '').replaceAll('\n', ' ');
  if (!code.startsWith('commander.unknown')) return text;
  const [before = '', unknown = ''] = text.split("'", 2);
  return `${before}'${/^[\w-]*/.exec(unknown)?.[0]}'${text.slice(text.lastIndexOf("'") + 1)}`;
}
