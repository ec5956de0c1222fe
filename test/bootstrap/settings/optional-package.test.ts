import { expect } from 'chai';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ConfigError } from '../../../src/bootstrap/index.js';
import { importWith } from '../../../src/bootstrap/settings/optional-package.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { makeTemporaryFolder } from '../../support/temporary-folder.js';

describe('what needs an optional package', () => {
  /** Imports a module of this text, which is in a folder without packages, and needs mongodb. */
  const importOf = async (text: string): Promise<unknown> => {
    const path = join(makeTemporaryFolder(), 'part.mjs');
    writeFileSync(path, text);
    return importWith('mongodb', 'MONGODB_URL', async () => import(pathToFileURL(path).href));
  };

  it('says how to install the package if it is missing', async () => {
    const error = await rejectionOf(importOf(`import 'mongodb';`));
    expect(error).to.be.instanceOf(ConfigError);
    expect(error).to.include({ message: 'MONGODB_URL needs the package mongodb: npm install mongodb@7' });
  });

  it('rejects with the error itself if another package is missing', async () => {
    expect(await rejectionOf(importOf(`import 'yaml';`))).to.include({ code: 'ERR_MODULE_NOT_FOUND' });
  });

  it('rejects with what the part throws', async () => {
    expect(await rejectionOf(importOf('throw undefined;'))).to.equal(undefined);
  });
});
