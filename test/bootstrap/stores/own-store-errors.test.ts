import { expect } from 'chai';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { ConfigError } from '../../../src/bootstrap/index.js';
import { createStorage } from '../../../src/bootstrap/stores/storage.js';
import { outcomeOf } from '../../support/command.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { makeTemporaryFolder } from '../../support/temporary-folder.js';
import { refusalOf } from '../outcome.js';
import { storeFile } from '../store-file.js';

const NO_MODULE = /^its default export must be an Inversify ContainerModule, or a function that returns one$/;

/** Files that are not stores, and what their error says after the name of the file. */
const FILES: Readonly<Record<string, readonly [text: string, error: RegExp]>> = {
  'syntax.mjs': ['export defualt', /^SyntaxError: \S/],
  'throws.mjs': [`throw new Error('ZOO is closed\\n  at noon');`, /^ZOO is closed$/],
  'imports.mjs': [`import 'nowhere'; export default {};`, /^Cannot find package 'nowhere' imported/],
  'with#a%20sign.mjs': ['export default 5;', NO_MODULE],
  'returns-nothing.mjs': ['export default async () => undefined;', NO_MODULE],
  'function-rejects.mjs': [`export default async () => { throw 'no Error'; };`, /^no Error$/],
  'load-rejects.mjs': [`export default { async load() { throw new Error('no') } };`, /^no$/],
  'binds-nothing.mjs': [`export default { load() {} };`, /^it does not bind TOKENS\.petCatalogue$/],
  'no-keys.mjs': [
    `export default { load: ({ bind }) => {
      bind(Symbol.for('animal-store.PetCatalogue')).toConstantValue({});
      bind(Symbol.for('animal-store.ApiKeyRegistry')).toConstantValue({});
    } };`,
    /^it binds TOKENS\.apiKeyRegistry without TOKENS\.apiKeys, /,
  ],
};

describe("a store of one's own with an error", () => {
  let folder: string;

  beforeEach(() => {
    folder = makeTemporaryFolder();
    for (const [file, [text]] of Object.entries(FILES)) writeFileSync(join(folder, file), text);
  });

  const errorOf = async (store: string): Promise<string> => {
    const log = pino({ level: 'silent' });
    const error = await rejectionOf(createStorage({ store }, log));
    expect(error).to.be.instanceOf(ConfigError);
    const { message } = error as ConfigError;
    expect(message.startsWith(`--store ${store}: `), message).to.equal(true);
    return message.slice(`--store ${store}: `.length);
  };

  for (const [file, [, error]] of Object.entries(FILES)) {
    it(`is named with its error: ${file}`, async () => {
      expect(await errorOf(join(folder, file))).to.match(error);
    });
  }

  it('is named if there is no such file or package', async () => {
    for (const name of ['nowhere.mjs', '.']) {
      const path = join(folder, name);
      expect(await errorOf(path)).to.equal(`there is no file ${path}`);
    }
    for (const name of ['@zoo/nowhere', 'redis', 'Memory', '__proto__']) {
      const error = `Cannot find package '${name}'; the stores of this package are memory, sqlite, mongodb, postgres`;
      expect(await errorOf(name)).to.equal(error);
    }
  });

  it('is told in one line, which names no other file', async () => {
    const { code, stderr } = await outcomeOf(['serve', '--store=Memory']);
    expect(code).to.equal(2);
    expect(stderr).to.match(/^animal-store: --store Memory: [^/\\\n]+\n$/);
  });

  it('is named with its path if it is a file of the working directory', async () => {
    expect(await errorOf('knip.json')).to.equal("Cannot find package 'knip.json'; the file is ./knip.json");
  });

  it('gets the environment, the log and the access if it is made by a function', async () => {
    const path = join(folder, 'function.mjs');
    const bind = `bind(Symbol.for('animal-store.PetCatalogue')).toConstantValue({})`;
    writeFileSync(
      path,
      `export default ({ env, log, access }) => (log.warn({ zoo: env.ZOO, access }, 'made'), { load: ({ bind }) => void ${bind} });`,
    );
    const lines: string[] = [];
    process.env['ZOO'] = 'Basel';
    await createStorage({ store: path }, pino({}, { write: (line) => lines.push(line) }), 'read-only');
    delete process.env['ZOO'];
    expect(lines.join('')).to.include('"zoo":"Basel","access":"read-only","msg":"made"');
  });

  it('opens nothing if anything else is wrong', async () => {
    await refusalOf(['serve', '--port=x', `--store=${storeFile('(globalThis.openedStore = {})')}`]);
    expect(globalThis).not.to.have.property('openedStore');
  });
});
