import { flagOnly, switchFlag } from '../settings/setting.js';
import { text } from '../settings/value-types.js';
import { TOKENS } from '../tokens.js';
import { defineCommand } from './command.js';
import { keptStoreSettings, loadKeptStore, withStorage } from './kept-store.js';

const WHAT = 'the animals';

/** `animal-store export`. */
export const exportCommand = defineCommand({
  name: 'export',
  summary: 'write the animals of a store, and the creations that it remembers, for `restore`',
  settings: {
    output: flagOnly<string | undefined>(
      'output',
      'the file to write, once it is whole (default the standard output)',
      text('file'),
      undefined,
    ),
    animalsOnly: switchFlag('animals-only', 'leave out what is remembered of idempotency keys'),
    ...keptStoreSettings(WHAT),
  },
  load: async (values, context) => loadKeptStore(values, context, { what: WHAT }),
  async run({ values: { output, animalsOnly }, loaded }) {
    const { exportStore } = await import('../../application/moving/export-store.js');
    const { storeFileOf } = await import('../../adapters/files/store-file.js');
    const { writeFileWhole, writeTo } = await import('../files/output-file.js');
    const { interruptible } = await import('./interruption.js');
    const { Progress } = await import('./progress.js');
    await withStorage(loaded, async (container) =>
      interruptible('nothing was left behind but a part of the output', async ({ until }) => {
        const catalogue = await container.getAsync(TOKENS.petCatalogue);
        const progress = new Progress('records');
        const records = progress.count(until(exportStore({ catalogue }, { animalsOnly })));
        const parts = storeFileOf(records, new Date());
        try {
          if (output === undefined) await writeTo(process.stdout, 'the standard output', parts);
          else await writeFileWhole(output, parts);
        } finally {
          progress.end();
        }
        process.stderr.write(`exported ${progress.summary()}\n`);
      }),
    );
  },
});
