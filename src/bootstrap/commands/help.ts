import { fallbackText, type Settings } from '../settings/setting.js';
import type { Command } from './command.js';

const OUTRO = `A flag wins over its variable. Secrets come from variables only.
'animal-store help <command>' or 'animal-store <command> --help' shows the settings of one command.
`;

/** What `animal-store help` prints: the commands given, or those of one group. */
export function overview(commands: readonly Command[]): string {
  const rows = commands.map((command) => [`animal-store ${callOf(command)}`, command.summary]);
  const own = [
    ['animal-store help [<command>]', 'show this, or the settings of one command'],
    ['animal-store --version, -v', 'show the version'],
  ];
  return `Usage: animal-store <command> [<flags>]

${table([...rows, ...own])}

${OUTRO}`;
}

/** What `animal-store help <command>` prints. */
export function helpOf(command: Command): string {
  const { summary, settings } = command;
  const hasSecrets = Object.values(settings).some(({ flag }) => flag === undefined);
  return `Usage: animal-store ${callOf(command)} [<flags>]

${summary.charAt(0).toUpperCase()}${summary.slice(1)}.

${table(Object.values(settings).map(rowOf))}

An upper-case name is the environment variable of a setting. A flag wins over its variable.${
    hasSecrets ? '\nSettings without a flag are secrets: set them in the environment only.' : ''
  }
`;
}

function callOf({ name, words }: Command): string {
  return [name, ...words.map((word) => `<${word}>`)].join(' ');
}

function rowOf(setting: Settings[string]): string[] {
  const { flag, variable = '', type, help } = setting;
  const value = type === undefined ? '' : ` <${type.placeholder}>`;
  const fallback = variable === '' ? '' : fallbackText(setting);
  return [
    flag === undefined ? '' : `--${flag}${value}`,
    variable,
    fallback === '' ? help : `${help} (default ${fallback})`,
  ];
}

/** Rows with their columns aligned. */
function table(rows: readonly (readonly string[])[]): string {
  const columns = Array.from({ length: (rows[0]?.length ?? 1) - 1 }, (_, i) => i);
  const widths = columns.map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => `  ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  ')}`.trimEnd()).join('\n');
}
