import { expect } from 'chai';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ERRORS } from '../../src/adapters/http/errors.js';
import { ROOT } from './cruise.js';
import { sourceFiles } from './sources.js';

const THE_TABLE = 'src/adapters/http/errors.ts';

describe('the messages of HTTP errors', () => {
  it('stand in the table of errors alone', async () => {
    const messages = Object.values(ERRORS).flatMap((error) => ('message' in error ? [error.message] : []));
    expect(messages).to.include(ERRORS.request_timeout.message);
    const others = (await sourceFiles()).filter((file) => file.startsWith('src/adapters/http/') && file !== THE_TABLE);
    for (const file of others) {
      const text = await readFile(join(ROOT, file), 'utf8');
      expect(
        messages.filter((message) => text.includes(message)),
        file,
      ).to.deep.equal([]);
    }
  });
});
