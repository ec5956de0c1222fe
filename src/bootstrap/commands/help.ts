import { defaultText, type Settings } from '../settings/setting.js';
import type { Command } from './command.js';
import { leadingColumns } from './table.js';

/** The minimum width of a table's last column. If there is less room, its text goes on separate lines. */
const COLUMN_MIN = 24;
const INDENT = '      ';

/** The output of `animal-store help`: the given commands. Lines are not longer than the width, if possible. */
export function overview(commands: readonly Command[], width: number): string {
  const rows = commands.map((command) => [`animal-store ${usageOf(command)}`, command.summary]);
  const own = [['animal-store help [<command>]', 'show this, or the settings of one command']];
  return `Usage: animal-store <command> [<flags>]

${table([...rows, ...own], width)}

${wrap('Flags override environment variables. Secrets come from environment variables only.', width).join('\n')}
${wrap("'animal-store help <command>' or 'animal-store <command> --help' shows the settings of one command.", width).join('\n')}
`;
}

/** The output of `animal-store help <command>`. */
export function helpOf(command: Command, width: number): string {
  const { summary } = command;
  const settings = Object.values(command.settings);
  const notes = [
    ...(settings.some(({ variable }) => variable !== undefined)
      ? ['An upper-case name is the environment variable of a setting. Flags override environment variables.']
      : []),
    ...(settings.some(({ flag }) => flag === undefined)
      ? [
          'Settings without a flag are secrets: set them in the environment only, or set a variable with _FILE, such as API_KEYS_FILE, to the path of a file with the secret.',
        ]
      : []),
  ];
  const parts = [
    wrap(`Usage: animal-store ${usageOf(command)}${settings.length > 0 ? ' [<flags>]' : ''}`, width).join(
      `\n${INDENT}`,
    ),
    wrap(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`, width).join('\n'),
    table(settings.map(rowOf), width),
    notes.flatMap((note) => wrap(note, width)).join('\n'),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function usageOf({ name, positionals }: Command): string {
  return [name, ...positionals.map((positional) => `<${positional}>`)].join(' ');
}

function rowOf(setting: Settings[string]): string[] {
  const { flag, variable = '', type, help, required = false } = setting;
  const value = type === undefined ? '' : ` <${type.placeholder}>`;
  const byDefault = variable === '' ? '' : defaultText(setting);
  const note = required ? ' (required)' : byDefault === '' ? '' : ` (default ${byDefault})`;
  return [flag === undefined ? '' : `--${flag}${value}`, variable, help + note];
}

/** Rows with their columns aligned, and the last column wrapped. */
function table(rows: readonly (readonly string[])[], width: number): string {
  const heads = leadingColumns(rows).map((head) => `  ${head}`);
  const indent = ' '.repeat(heads[0]?.length ?? 0);
  const isWide = width - indent.length >= COLUMN_MIN;
  const lines = rows.map((row, i) => {
    const [head = '', text = ''] = [heads[i], row.at(-1)];
    if (isWide) return head + wrap(text, width - indent.length).join(`\n${indent}`);
    const texts = wrap(text, width - INDENT.length).map((line) => INDENT + line);
    return [...stacked(row.slice(0, -1), width), ...texts].join('\n');
  });
  return lines.join('\n');
}

/** The cells of a row on one line, or each on its own line if there is not enough room. */
function stacked(cells: readonly string[], width: number): string[] {
  const given = cells.filter((cell) => cell !== '');
  const line = `  ${given.join('  ')}`;
  return line.length <= width ? [line] : given.map((cell) => `  ${cell}`);
}

/** The lines of a text, none longer than the width unless a single word is. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line === undefined || line.length + 1 + word.length > width) lines.push(word);
    else lines.splice(-1, 1, `${line} ${word}`);
  }
  return lines;
}
