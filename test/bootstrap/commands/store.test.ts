import { expect } from 'chai';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../../support/temporary-folder.js';
import { printedBy } from '../outcome.js';
import { kept, STORE } from './kept-store.js';

describe('the store of a command', () => {
  for (const [access, commands] of [
    ['prepare', ['import', 'restore', 'keys create --name=anna']],
    ['existing', ['keys rotate id', 'keys revoke id']],
    ['read-only', ['export', 'keys list']],
  ] as const) {
    it(`is told the access ${access} by ${commands.join(', ')}`, async () => {
      const file = join(makeTemporaryFolder(), 'a.ndjson');
      writeFileSync(file, '{"name":"Rex","categoryId":7}\n');
      kept.contexts.length = 0;
      for (const words of commands) {
        const args = words === 'import' || words === 'restore' ? [words, file] : words.split(' ');
        // No key has the id, and the file is no export.
        await Promise.allSettled([printedBy([...args, `--store=${STORE}`])]);
      }
      expect(kept.contexts.map((context) => context.access)).to.deep.equal(commands.map(() => access));
    });
  }
});
