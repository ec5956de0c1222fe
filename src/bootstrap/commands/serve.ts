import { SERVE_SETTINGS } from '../server-config.js';
import { ConfigError } from '../settings/config-error.js';
import { defineCommand } from './command.js';

/** `animal-store serve`. The help and the other commands start without loading the server. */
export const serve = defineCommand({
  name: 'serve',
  summary: 'start the server',
  settings: SERVE_SETTINGS,
  async load(values, { env, nameOf }) {
    const { createLog } = await import('../log/log.js');
    const { loadStorage } = await import('../storage.js');
    if (values.animals !== undefined && values.store !== 'memory') {
      throw new ConfigError(['--animals needs the store memory: import the file into another store']);
    }
    const log = await createLog(values);
    return { log, storage: await loadStorage(values, { env, log }, { name: nameOf('store') }) };
  },
  async run({ values, nameOf, loaded: { log, storage } }) {
    const { serveUntilSignal } = await import('./serve-until-signal.js');
    await serveUntilSignal(storage, values, log, nameOf);
  },
});
