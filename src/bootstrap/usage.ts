import { SERVE_SETTINGS } from './config.js';
import { KEYS_SETTINGS } from './keys-settings.js';
import type { Settings } from './read-settings.js';

/** What `animal-store --help` prints. */
export function usage(): string {
  const { name, expires } = KEYS_SETTINGS.create;
  const { overlap } = KEYS_SETTINGS.rotate;
  return `Usage: animal-store <command> [flags]

  animal-store serve              start the server
  animal-store keys create        make an API key; it is shown once
  animal-store keys list          list the API keys
  animal-store keys rotate ID     make a key in place of another, which expires after an overlap
  animal-store keys revoke ID     end a key for good
  animal-store --help             show this
  animal-store --version          show the version

Flags win over variables; secrets come from variables only. Durations are in s, m, h or d: 90d.

serve:
${settingsTable(SERVE_SETTINGS)}

keys, all of them:
${settingsTable(KEYS_SETTINGS.list)}

keys create:
${settingsTable({ name, expires })}

keys rotate:
${settingsTable({ overlap })}
`;
}

function settingsTable(settings: Settings): string {
  const rows = Object.values(settings).map(({ flag, variable = '', help, fallback }) => {
    const isShown = variable !== '' && (typeof fallback === 'string' || typeof fallback === 'number');
    return [flag === undefined ? '' : `--${flag}`, variable, isShown ? `${help} (default ${fallback})` : help];
  });
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => `  ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  ')}`).join('\n');
}
