import type { RecordCounts } from '../../application/moving/store-record.js';
import { defineCommand } from './command.js';
import { persistentStoreSettings, loadPersistentStore, portsOf, withStorage } from './persistent-store.js';

const WHAT = 'the animals';

/** `animal-store restore`. */
export const restore = defineCommand({
  name: 'restore',
  summary: 'store what `export` wrote, with the same ids; run it again to complete it (- reads the standard input)',
  positionals: ['FILE'],
  settings: persistentStoreSettings(WHAT),
  load: async (values, context) => loadPersistentStore(values, context, { what: WHAT }),
  async run({ positionals: [path = ''], loaded }) {
    const { restoreStore } = await import('../../application/moving/restore-store.js');
    const { recordsOf } = await import('../../adapters/files/store-file.js');
    const { inputFile } = await import('../files/input-file.js');
    const { interruptible } = await import('./interruption.js');
    const { Progress } = await import('./progress.js');
    const { withFileName } = await import('../files/with-file-name.js');
    const file = await inputFile(path);
    const progress = new Progress('records', { size: file.size });
    const howFar = (): string => `after ${progress.done}: run the same command again to go on`;
    await withStorage(loaded, async (container) =>
      interruptible(howFar, async ({ until, signal }) => {
        const ports = await portsOf(container);
        try {
          const records = until(recordsOf(progress.read(file.read(signal))));
          const nameOf = (place: number): string => `line ${place + 1}`;
          const onProgress = (count: number): void => progress.reach(count);
          const restoring = restoreStore(ports, records, { nameOf, onProgress });
          const { restored, present, leftOut } = await withFileName(file.name, restoring);
          progress.end();
          print(`restored ${countsText(restored)} in ${progress.time()}`);
          if (present.pet + present.apiKey + present.creation > 0) print(`already there: ${countsText(present)}`);
          if (leftOut > 0) print(`left out: ${leftOut} creations whose animals are not in the file`);
        } finally {
          progress.end();
        }
      }),
    );
  },
});

function countsText({ pet, apiKey, creation }: RecordCounts): string {
  return `${pet} animals, ${apiKey} API keys and ${creation} remembered creations`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
