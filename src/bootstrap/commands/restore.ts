import type { RecordCounts } from '../../application/moving/store-record.js';
import { counted } from './counted.js';
import { interruptible } from './interruption.js';
import { defineStoreCommand, portsOf } from './persistent-store.js';

export const restore = defineStoreCommand({
  name: 'restore',
  summary: 'store what `export` wrote, with the same ids; run it again to complete it (- reads the standard input)',
  positionals: ['FILE'],
  settings: {},
  what: 'the animals',
  async run(container, _values, path = '') {
    const { restoreStore } = await import('../../application/moving/restore-store.js');
    const { recordsOf } = await import('../../adapters/files/store-file.js');
    const { inputFile, withFileName } = await import('../files/input-file.js');
    const { Progress } = await import('./progress.js');
    const file = await inputFile(path);
    const progress = new Progress('record', { size: file.size });
    let hasBegun = false;
    const early = {
      bySignal: () => `after ${progress.done}: run the same command again to continue`,
      byFailure: () =>
        hasBegun
          ? `stored so far: ${progress.atLeast}; once the cause is fixed, run the same command again to continue`
          : undefined,
    };
    await interruptible(early, async ({ until, signal }) => {
      const ports = await portsOf(container);
      const records = until(recordsOf(progress.read(file.read(signal))));
      const nameOf = (place: number): string => `line ${place + 1}`;
      const onProgress = (count: number): void => {
        hasBegun = true;
        progress.reach(count);
      };
      const restoring = restoreStore(ports, records, { nameOf, onProgress }).finally(() => progress.clear());
      const { restored, present, leftOut } = await withFileName(file.name, restoring);
      console.log(`restored ${countsText(restored)} in ${progress.time()}`);
      if (Object.values(present).some((count) => count > 0)) console.log(`already there: ${countsText(present)}`);
      if (leftOut > 0) {
        const [creations, animals] = leftOut === 1 ? ['creation', 'animal is'] : ['creations', 'animals are'];
        console.log(`left out: ${leftOut} ${creations} whose ${animals} not in the file`);
      }
    });
  },
});

function countsText({ pet, apiKey, creation }: RecordCounts): string {
  return `${counted(pet, 'animal')}, ${counted(apiKey, 'API key')} and ${counted(creation, 'remembered creation')}`;
}
