import { expect } from 'chai';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Environment } from '../../support/child.js';
import { endWithFile } from '../../support/cleanup.js';
import { outcomeOf, startCommand, type RunningCommand } from '../../support/command.js';
import { send } from '../../support/request.js';
import { copyInOneFile } from '../../support/share-package.js';
import { makeTemporaryFolder } from '../../support/temporary-folder.js';

const MODULES = fileURLToPath(new URL('../../../node_modules', import.meta.url));
const KEY = 'a-key-of-more-than-16';
const REX = '{"name":"Rex","categoryId":9223372036854775807}';

/** What most stores of these tests begin with. Nothing in it comes from this package. */
const IMPORTS = `
  import { ContainerModule } from 'inversify';
  const token = (name) => Symbol.for('animal-store.' + name);
  const makeCatalogue = () => {
    const pets = [];
    return {
      add: async (newPet) => pets[pets.push({ id: BigInt(pets.length + 1), ...newPet }) - 1],
      list: async () => ({ pets }),
      find: async () => undefined,
    };
  };`;

const CATALOGUE = `bind(token('PetCatalogue')).toResolvedValue(makeCatalogue).inSingletonScope();`;

/** The stores of these tests: a file of each, and what `--store` calls it. */
const STORES = {
  './module.mjs': `${IMPORTS}
    export default new ContainerModule(({ bind }) => { ${CATALOGUE} });`,
} as const;

/** A store that throws when it is prepared, and that takes a moment to be closed. */
const failingStore = (thrown: string): string => `${IMPORTS}
  export default new ContainerModule(({ bind }) => {
    const pool = Symbol('pool');
    const close = () => new Promise((resolve) => setTimeout(() => resolve(console.log('closed')), 50));
    bind(pool).toResolvedValue(() => ({})).inSingletonScope().onDeactivation(close);
    bind(token('PetCatalogue')).toResolvedValue(makeCatalogue, [pool]).inSingletonScope()
      .onActivation(() => { throw ${thrown}; });
  });`;

/** Stores as packages below node_modules. */
const PACKAGES = {
  'esm-store': {
    'package.json': '{"type":"module","exports":{"import":"./store.js"}}',
    'store.js': `import store from '../../module.mjs'; export default store;`,
  },
  '@zoo/store': {
    'package.json': '{"main":"store.js"}',
    'store.js': `
      Object.defineProperty(exports, '__esModule', { value: true });
      exports.default = async () => (await import('../../../module.mjs')).default;`,
  },
} as const;

describe("animal-store --store with a store of one's own", function () {
  this.timeout(180_000);
  let folder: string;
  let command: RunningCommand | undefined;

  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  };

  before(async () => {
    folder = makeTemporaryFolder(endWithFile);
    await copyInOneFile('inversify', folder);
    cpSync(join(MODULES, 'reflect-metadata'), join(folder, 'node_modules/reflect-metadata'), { recursive: true });
    for (const [file, text] of Object.entries(STORES)) write(file, text);
    for (const [name, files] of Object.entries(PACKAGES)) {
      for (const [file, text] of Object.entries(files)) write(join('node_modules', name, file), text);
    }
  });

  afterEach(async () => {
    await command?.stop();
    command = undefined;
  });

  const start = async (store: string, env: Environment = {}): Promise<RunningCommand> =>
    (command = await startCommand(['--store', store], env, { cwd: folder }));

  for (const store of Object.keys(PACKAGES)) {
    it(`serves animals from ${store}`, async () => {
      const { url } = await start(store, { API_KEYS: `anna:${KEY}` });
      expect((await send(`${url}/pets`, { key: KEY, body: REX })).status).to.equal(201);
      expect((await send(`${url}/pets`, { key: KEY })).text).to.equal(`[{"id":1,${REX.slice(1)}]`);
    });
  }

  for (const [what, thrown, lines] of [
    [
      'its error with the cause',
      `new Error('it has no tables', { cause: new Error('connect ECONNREFUSED 192.0.2.1:5432') })`,
      'it has no tables: connect ECONNREFUSED 192.0.2.1:5432',
    ],
    ['a thrown text', `'a text'`, 'a text'],
  ] as const) {
    it(`is closed if it cannot be prepared, and the command prints ${what} and ends with 1`, async () => {
      write('failing.mjs', failingStore(thrown));
      const args = ['serve', '--port=0', '--store=./failing.mjs', '--log-level=silent'];
      const outcome = await outcomeOf(args, {}, { cwd: folder });
      expect(outcome).to.deep.equal({ code: 1, stdout: 'closed\n', stderr: `animal-store: ${lines}\n` });
    });
  }
});
