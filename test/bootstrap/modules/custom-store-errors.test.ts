import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { ConfigError } from '../../../src/bootstrap/index.js';
import { SERVER_DEFAULTS } from '../../../src/bootstrap/server-config.js';
import { loadStorage } from '../../../src/bootstrap/storage.js';
import { outcomeOf } from '../../support/command.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { makeTemporaryFolder } from '../../support/temporary-folder.js';
import { errorsAbout, errorsOf, refusalOf } from '../outcome.js';
import { storeFile } from '../store-file.js';

const CONTEXT = { env: {}, log: pino({ level: 'silent' }) };
const BINDS_REGISTRY_ALONE = `({ bind }) => {
  bind(Symbol.for('animal-store.PetCatalogue')).toConstantValue({});
  bind(Symbol.for('animal-store.ApiKeyRegistry')).toConstantValue({});
}`;

const NO_MODULE = /^does not export an Inversify ContainerModule, or a function/;

/** Files that are not stores, and what their error says after the name of the file. */
const FILES: Readonly<Record<string, readonly [text: string, error: RegExp]>> = {
  'syntax.mjs': ['export defualt', /^cannot be loaded: SyntaxError: \S/],
  'throws.mjs': [`throw new Error('ZOO is closed\\n  at noon');`, /^cannot be loaded: ZOO is closed$/],
  'imports.mjs': [`import 'nowhere'; export default {};`, /^cannot be loaded: Cannot find package 'nowhere' imported/],
  'no-default.mjs': ['export const store = 1;', NO_MODULE],
  'number.mjs': ['export default 5;', NO_MODULE],
  'object.mjs': ['export default {};', NO_MODULE],
  'with#a%20sign.mjs': ['export default 5;', NO_MODULE],
  'null.mjs': ['export default null;', NO_MODULE],
  'class.mjs': ['export default class {};', /^cannot be set up: /],
  'returns-nothing.mjs': [
    'export default async () => undefined;',
    /^exports a function by default that does not return/,
  ],
  'function-throws.mjs': [
    `export default () => { throw new Error('ZOO is needed'); };`,
    /^cannot be set up: ZOO is needed$/,
  ],
  'function-rejects.mjs': [`export default async () => { throw 'no Error'; };`, /^cannot be set up: no Error$/],
  'load-throws.mjs': [
    `export default { load() { throw new Error('no') } };`,
    /^cannot be loaded into a container: no$/,
  ],
  'load-rejects.mjs': [
    `export default { async load() { throw new Error('no') } };`,
    /^cannot be loaded into a cont.*: no$/,
  ],
  'binds-nothing.mjs': [`export default { load() {} };`, /^does not bind TOKENS\.petCatalogue$/],
  'no-keys.mjs': [
    `export default { load: ${BINDS_REGISTRY_ALONE} };`,
    /^binds TOKENS\.apiKeyRegistry without TOKENS\.apiKeys, /,
  ],
};

describe('a custom store with an error', () => {
  let folder: string;

  beforeEach(() => {
    folder = makeTemporaryFolder();
    for (const [file, [text]] of Object.entries(FILES)) writeFileSync(join(folder, file), text);
  });

  /** The only error of a store, without its name. */
  const errorOf = async (store: string): Promise<string> => {
    const rejection = await rejectionOf(loadStorage({ ...SERVER_DEFAULTS, store }, CONTEXT, { name: 'STORE' }));
    expect(rejection).to.be.instanceOf(ConfigError);
    const [error = '', ...others] = (rejection as ConfigError).errors;
    expect(others).to.deep.equal([]);
    expect(error.startsWith(`STORE ${store} `), error).to.equal(true);
    return error.slice(`STORE ${store} `.length);
  };

  for (const [file, [, error]] of Object.entries(FILES)) {
    it(`is named with its error: ${file}`, async () => {
      expect(await errorOf(join(folder, file))).to.match(error);
    });
  }

  it('is named if there is no such file or package', async () => {
    expect(await errorOf(join(folder, 'nowhere.mjs'))).to.match(/^cannot be loaded: Cannot find module '\S+'$/);
    const error = await errorOf('@zoo/nowhere');
    expect(error).to.equal("cannot be found from the working directory: Cannot find package '@zoo/nowhere'");
  });

  it('is named if it is a device or a pipe, which may never end', async () => {
    const pipe = join(folder, 'pipe.mjs');
    execFileSync('mkfifo', [pipe]);
    for (const path of ['/dev/zero', pipe]) {
      expect(await errorOf(path)).to.equal('cannot be loaded: it is neither a file nor a folder');
    }
  });

  for (const [what, bytes, error] of [
    ['is empty', 0, 'it is empty, or its size is unknown'],
    ['takes 100 GB, of which hardly any are on the disk', 100e9, 'it is larger than 64 MiB'],
    ['takes one byte more than 64 MiB', 64 * 2 ** 20 + 1, 'it is larger than 64 MiB'],
  ] as const) {
    it(`is named if it is a file that ${what}`, async () => {
      const path = join(folder, 'sparse.mjs');
      writeFileSync(path, '');
      truncateSync(path, bytes);
      expect(await errorOf(path)).to.equal(`cannot be loaded: ${error}`);
    });
  }

  it('is loaded from a file of 64 MiB', async () => {
    const path = join(folder, 'large.mjs');
    writeFileSync(path, `${FILES['number.mjs']?.[0]}${' '.repeat(64 * 2 ** 20 - 17)}`);
    expect(statSync(path).size).to.equal(64 * 2 ** 20);
    expect(await errorOf(path)).to.match(NO_MODULE);
  });

  it('is named if it is a module of Node.js', async () => {
    expect(await errorOf('fs')).to.match(NO_MODULE);
  });

  for (const [name, hint] of [
    ['pg-store.js', './pg-store.js'],
    ['stores/pg-store.mts', './stores/pg-store.mts'],
    ['mongdb', 'mongodb'],
  ] as const) {
    it(`is named with a hint if ${hint} was meant by ${name}`, async () => {
      const error = await errorOf(name);
      expect(error).to.match(/^cannot be found /);
      expect(error.endsWith(`: did you mean ${hint}?`), error).to.equal(true);
    });
  }

  it('ends the command with 2, in one list with every other error', async () => {
    const args = ['serve', '--store=./binds-nothing.mjs', '--port=x', '--colour=red'];
    const outcome = await outcomeOf(args, { LOG_LEVEL: 'loud', MONGODB_URL: 'http://zoo/' }, { cwd: folder });
    expect(outcome).to.include({ code: 2, stdout: '' });
    const errors = errorsOf(outcome);
    for (const name of ['--store ./binds-nothing.mjs', '--port', '--colour', 'LOG_LEVEL', 'MONGODB_URL']) {
      expect(errorsAbout(name, errors), name).to.have.lengthOf(1);
    }
    expect(errors).to.have.lengthOf(5);
  });

  it('opens nothing if anything else is wrong', async () => {
    await refusalOf(['serve', '--port=x', `--store=${storeFile('(globalThis.openedStore = {})')}`]);
    expect(globalThis).not.to.have.property('openedStore');
  });

  it('is named by its variable if that names it', async () => {
    const STORE = join(folder, 'binds-nothing.mjs');
    const { errors } = await refusalOf(['serve'], { STORE });
    expect(errors).to.deep.equal([`STORE ${STORE} does not bind TOKENS.petCatalogue`]);
  });
});
