import { SERVE_SETTINGS } from '../server-config.js';
import { defineCommand } from './command.js';

/** `animal-store serve`. The help and the other commands start without loading the server. */
export const serve = defineCommand({
  name: 'serve',
  summary: 'start the server',
  settings: SERVE_SETTINGS,
  async load(values, { env, nameOf }) {
    const { createLog } = await import('../log/log.js');
    const { loadStorage } = await import('../storage.js');
    const log = await createLog(values);
    return { log, storage: await loadStorage(values, { env, log }, { name: nameOf('store') }) };
  },
  async run({ values, nameOf, loaded: { log, storage } }) {
    const { serveUntilSignal } = await import('./serve-until-signal.js');
    await serveUntilSignal(storage, values, log, nameOf);
  },
});
