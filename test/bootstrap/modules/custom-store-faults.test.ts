import { expect } from 'chai';
import { join } from 'node:path';
import { pino } from 'pino';
import { ConfigError } from '../../../src/bootstrap/index.js';
import { SERVER_DEFAULTS } from '../../../src/bootstrap/settings/server-config.js';
import { createStorageContainer } from '../../../src/bootstrap/storage.js';
import { outcomeOf } from '../../support/command.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { useOutsideFolder } from './custom-store-folder.js';
import { faultsAbout, faultsOf } from '../outcome.js';

const CONTEXT = { env: {}, log: pino({ level: 'silent' }) };
const BINDS_REGISTRY_ALONE = `({ bind }) => {
  bind(Symbol.for('animal-store.PetCatalogue')).toConstantValue({});
  bind(Symbol.for('animal-store.ApiKeyRegistry')).toConstantValue({});
}`;

/** Files that are no stores, and what their fault says after the name of the file. */
const FILES: Readonly<Record<string, readonly [text: string, fault: RegExp]>> = {
  'syntax.mjs': ['export defualt', /^cannot be loaded: SyntaxError: \S/],
  'throws.mjs': [`throw new Error('ZOO is closed\\n  at noon');`, /^cannot be loaded: ZOO is closed$/],
  'imports.mjs': [
    `import 'nowhere'; export default {};`,
    /^cannot be loaded: Cannot find package 'nowhere' imported from \S+$/,
  ],
  'no-default.mjs': ['export const store = 1;', /^exports no Inversify ContainerModule by default/],
  'number.mjs': ['export default 5;', /^exports no Inversify ContainerModule by default/],
  'null.mjs': ['export default null;', /^exports no Inversify ContainerModule by default/],
  'catalogue.mjs': [`export { Catalogue as default } from './parts/catalogue.mjs';`, /^cannot be set up: /],
  'returns-nothing.mjs': [
    'export default async () => undefined;',
    /^exports a function by default that returns no Inv/,
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
    /^cannot be loaded into a container: no$/,
  ],
  'binds-nothing.mjs': [`export default { load() {} };`, /^binds no TOKENS\.petCatalogue$/],
  'no-keys.mjs': [
    `export default { load: ${BINDS_REGISTRY_ALONE} };`,
    /^binds TOKENS\.apiKeyRegistry without TOKENS\.apiKeys, /,
  ],
};

describe('a store of somebody else with a fault', () => {
  const folder = useOutsideFolder();

  before(() => {
    for (const [file, [text]] of Object.entries(FILES)) folder().write(file, text);
  });

  /** The only fault of a store, without its name. */
  const faultOf = async (store: string): Promise<string> => {
    const error = await rejectionOf(createStorageContainer({ ...SERVER_DEFAULTS, store }, CONTEXT, { name: 'STORE' }));
    expect(error).to.be.instanceOf(ConfigError);
    const [fault = '', ...others] = (error as ConfigError).faults;
    expect(others).to.deep.equal([]);
    expect(fault.startsWith(`STORE ${store} `), fault).to.equal(true);
    return fault.slice(`STORE ${store} `.length);
  };

  for (const [file, [, fault]] of Object.entries(FILES)) {
    it(`is named, with what is wrong: ${file}`, async () => {
      expect(await faultOf(join(folder().path, file))).to.match(fault);
    });
  }

  it('is named if there is no such file', async () => {
    expect(await faultOf(join(folder().path, 'nowhere.mjs'))).to.match(/^cannot be loaded: Cannot find module '\S+'$/);
  });

  it('is named if there is no such package', async () => {
    const fault = await faultOf('@zoo/nowhere');
    expect(fault).to.equal("cannot be found from the working directory: Cannot find package '@zoo/nowhere'");
  });

  it('ends the command with 2, in one list with every other fault', async () => {
    const args = ['serve', '--store=./binds-nothing.mjs', '--port=x', '--colour=red'];
    const outcome = await outcomeOf(args, { LOG_LEVEL: 'loud', MONGODB_URL: 'http://zoo/' }, { cwd: folder().path });
    expect(outcome).to.include({ code: 2, stdout: '' });
    const faults = faultsOf(outcome);
    for (const name of ['--store ./binds-nothing.mjs', '--port', '--colour', 'LOG_LEVEL', 'MONGODB_URL']) {
      expect(faultsAbout(name, faults), name).to.have.lengthOf(1);
    }
    expect(faults).to.have.lengthOf(5);
  });

  it('is named by its variable if that names it', async () => {
    const outcome = await outcomeOf(['serve'], { STORE: './binds-nothing.mjs' }, { cwd: folder().path });
    expect(faultsOf(outcome)).to.deep.equal(['STORE ./binds-nothing.mjs binds no TOKENS.petCatalogue']);
  });
});
