import { flagOnly, switchFlag } from '../settings/setting.js';
import { text } from '../settings/value-types.js';
import { interruptible } from './interruption.js';
import { defineStoreCommand, portsOf } from './persistent-store.js';

export const exportCommand = defineStoreCommand({
  name: 'export',
  summary:
    'write the animals, the keys on record and the remembered creations of a store, for `restore`; keep the file confidential',
  settings: {
    output: flagOnly('output', 'the file to write, once it is whole (default the standard output)', text('file')),
    animalsOnly: switchFlag('animals-only', 'leave out the keys on record and the remembered creations'),
  },
  what: 'the animals',
  async run(container, { output, animalsOnly }) {
    const { exportStore } = await import('../../application/moving/export-store.js');
    const { storeFileOf } = await import('../../adapters/files/store-file.js');
    const { writeFileWhole, writeTo } = await import('../files/output-file.js');
    const { Progress } = await import('./progress.js');
    const progress = new Progress('record', { isOutput: output === undefined });
    const left = output === undefined ? 'the output is incomplete' : `${output} was not written`;
    const early = {
      bySignal: () => `after ${progress.done}: ${left}`,
      byFailure: () => (output === undefined ? left : undefined),
    };
    await interruptible(early, async ({ until }) => {
      const records = progress.count(until(exportStore(await portsOf(container), { animalsOnly })));
      const parts = storeFileOf(records, new Date());
      const writing =
        output === undefined ? writeTo(process.stdout, 'the standard output', parts) : writeFileWhole(output, parts);
      await writing.finally(() => progress.clear());
      process.stderr.write(`exported ${progress.done} in ${progress.time()}\n`);
    });
  },
});
