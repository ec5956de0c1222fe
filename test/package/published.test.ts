import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { ENTRIES, packTarball, ROOT, run } from './project.js';

describe('the package to be published', () => {
  it('has nothing that publint objects to', async () => {
    const { buffer } = new Uint8Array(readFileSync(packTarball()));
    const { messages, pkg } = await publint({ strict: true, pack: { tarball: buffer } });
    expect(pkg).to.have.property('name', 'animal-store');
    expect(messages.map((message) => formatMessage(message, pkg))).to.deep.equal([]);
  });

  it('has types that are right for ESM, as Are the Types Wrong sees it', () => {
    const attw = join(ROOT, 'node_modules/.bin/attw');
    const { status, stdout } = run(ROOT, attw, [packTarball(), '--profile', 'esm-only', '--format', 'ascii']);
    expect(status, stdout).to.equal(0);
    for (const entry of ENTRIES) expect(stdout).to.include(`"${entry}"`);
  });
});
