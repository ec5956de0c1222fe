import type { Command } from 'commander';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { recordsOf } from '../../adapters/files/store-file.js';
import { restoreStore } from '../../application/transfer/restore-store.js';
import type { RecordCounts } from '../../application/transfer/store-record.js';
import { addSettings, STORE_SETTINGS } from '../settings/settings.js';
import { withFileName } from './named-file.js';
import { pluralize, print } from './print.js';
import { Progress, RUN_AGAIN } from './progress.js';
import { portsOf, withStore } from './store.js';

export function addRestore(program: Command): void {
  const command = program
    .command('restore')
    .argument('<file>', 'the output of export; - reads the standard input')
    .summary('restore the output of export')
    .description(
      'Restores the output of export, with the same ids. If it was interrupted, run it again: it changes nothing that is stored.',
    );
  addSettings(command, STORE_SETTINGS).action(async (path: string) =>
    withStore(command, 'prepare', async (container) => {
      const ports = await portsOf(container);
      const isInput = path === '-';
      const [name, size] = isInput ? ['the standard input', 0] : [path, (await stat(path)).size];
      const progress = new Progress(size, RUN_AGAIN);
      const records = recordsOf(progress.read(isInput ? process.stdin : createReadStream(path)));
      const restoring = restoreStore(ports, records, {
        nameOf: (position) => `line ${position + 1}`,
        onProgress: (count) => progress.reach(count),
      });
      const { restored, unchanged } = await withFileName(name, restoring).finally(() => progress.stop());
      const already = unchanged.pet + unchanged.apiKey === 0 ? '' : `; already there: ${countsText(unchanged)}`;
      await print(`restored ${countsText(restored)} in ${progress.time}${already}\n`);
    }),
  );
}

function countsText({ pet, apiKey }: RecordCounts): string {
  return `${pluralize(pet, 'animal')} and ${pluralize(apiKey, 'API key')}`;
}
