import type { Command } from 'commander';
import { storeFileOf } from '../../adapters/files/store-file.js';
import { exportStore } from '../../application/transfer/export-store.js';
import { addSettings, STORE_SETTINGS } from '../settings/settings.js';
import { pluralize, print } from './print.js';
import { Progress } from './progress.js';
import { portsOf, withStore } from './store.js';

export function addExport(program: Command): void {
  const command = program
    .command('export')
    .summary('write a store to the standard output')
    .description(
      'Writes the animals and the keys on record of a store to the standard output, for restore. Keep the output confidential.',
    );
  addSettings(command, STORE_SETTINGS).action(async () =>
    withStore(command, 'read-only', async (container) => {
      const ports = await portsOf(container);
      const progress = new Progress(0, 'the output is incomplete; run the same command again');
      const records = progress.count(exportStore(ports));
      try {
        for await (const part of storeFileOf(records, new Date())) await print(part);
      } finally {
        progress.stop();
      }
      process.stderr.write(`exported ${pluralize(progress.done, 'record')} in ${progress.time}\n`);
    }),
  );
}
