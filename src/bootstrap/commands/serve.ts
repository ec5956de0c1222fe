import { SERVE_SETTINGS } from '../settings/server-config.js';
import { storeFaults } from '../settings/store-settings.js';
import { defineCommand } from './command.js';

/** `animal-store serve`. The other commands, and the list of faults, start without loading the server. */
export const serve = defineCommand({
  name: 'serve',
  summary: 'start the server',
  settings: SERVE_SETTINGS,
  check: storeFaults,
  async run({ values }) {
    const { serveUntilSignal } = await import('./serve-until-signal.js');
    await serveUntilSignal(values);
  },
});
