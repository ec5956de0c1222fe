import { expect } from 'chai';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Environment } from '../../support/child.js';
import { endWithFile } from '../../support/cleanup.js';
import { outcomeOf, startCommand, type RunningCommand } from '../../support/command.js';
import { send } from '../../support/request.js';
import { copyInOneFile } from '../../support/share-package.js';
import { makeTemporaryFolder } from '../../support/temporary-folder.js';
import { linesOf } from '../outcome.js';

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

  './function.mjs': `${IMPORTS}
    export default async ({ env, log }) => {
      log.info({ zoo: env.ZOO }, 'the store is set up');
      return new ContainerModule(async ({ bind }) => { ${CATALOGUE} });
    };`,

  './keys.mjs': `${IMPORTS}
    export default ({ env }) => new ContainerModule(({ bind }) => {
      ${CATALOGUE}
      const verify = async (key) => (key === env.KEY_OF_BEN ? { name: 'ben' } : undefined);
      bind(token('ApiKeys')).toConstantValue({ verify });
    });`,

  './lives.mjs': `${IMPORTS}
    import { appendFileSync } from 'node:fs';
    export default ({ env }) => {
      const note = (text) => appendFileSync(env.NOTES, text + '\\n');
      const pause = () => new Promise((resolve) => setTimeout(resolve, 50));
      return new ContainerModule(({ bind, onActivation }) => {
        const pool = Symbol('pool');
        bind(pool).toResolvedValue(() => ({})).inSingletonScope().onDeactivation(async () => {
          await pause();
          note('closed');
        });
        onActivation(pool, async (_context, made) => {
          await pause();
          note('connected');
          return made;
        });
        bind(token('PetCatalogue')).toResolvedValue(makeCatalogue, [pool]).inSingletonScope()
          .onActivation(async (_context, catalogue) => {
            if (env.FAIL === 'text') throw 'a text';
            if (env.FAIL === 'circular') {
              const fault = new Error('a fault');
              throw Object.assign(fault, { cause: fault });
            }
            if (env.FAIL) throw new Error('the store has no tables', { cause: env.CAUSE && new Error(env.CAUSE) });
            note('prepared');
            return catalogue;
          });
        bind(token('IsReady')).toResolvedValue(() => async () => env.READY === 'yes', [pool]).inSingletonScope();
      });
    };`,
} as const;

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

describe('animal-store --store with a custom store', function () {
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

  /** The name of a file that no test has used. */
  let files = 0;
  const newFile = (): string => join(folder, `file-${++files}`);

  for (const store of ['./module.mjs', './function.mjs', ...Object.keys(PACKAGES)]) {
    it(`serves animals from ${store}`, async () => {
      const { url } = await start(store, { API_KEYS: `anna:${KEY}` });
      expect((await send(`${url}/pets`, { key: KEY, body: REX })).status).to.equal(201);
      expect((await send(`${url}/pets`, { key: KEY })).text).to.equal(`[{"id":1,${REX.slice(1)}]`);
    });
  }

  it('passes the environment and the log to it', async () => {
    await start('./function.mjs', { ZOO: 'Basel' });
    await command?.stop();
    expect(command?.stderr).to.include('"zoo":"Basel","msg":"the store is set up"');
  });

  it('is refused by animal-store keys if it has no keys to manage', async () => {
    const { code, stderr } = await outcomeOf(['keys', 'list', '--store', './module.mjs'], {}, { cwd: folder });
    expect(code).to.equal(2);
    expect(linesOf(stderr).at(-1)).to.match(/^ {2}--store \.\/module\.mjs does not bind TOKENS\.apiKeyRegistry/);
  });

  it('has its keys accepted, and those in API_KEYS', async () => {
    const { url } = await start('./keys.mjs', { KEY_OF_BEN: 'a-key-of-ben-in-the-store', API_KEYS: `anna:${KEY}` });
    const statuses = ['a-key-of-ben-in-the-store', KEY, 'another-key-of-16'].map(
      async (each) => (await send(`${url}/pets`, { key: each })).status,
    );
    expect(await Promise.all(statuses)).to.deep.equal([200, 200, 401]);
  });

  describe('that connects and closes', () => {
    for (const [what, env, lines] of [
      [
        'its error with the cause',
        { FAIL: 'yes', CAUSE: 'connect ECONNREFUSED 192.0.2.1:5432' },
        'the store has no tables\n  cause: connect ECONNREFUSED 192.0.2.1:5432',
      ],
      ['a thrown text', { FAIL: 'text' }, 'a text'],
      ['once an error that is its own cause', { FAIL: 'circular' }, 'a fault'],
    ] as const) {
      it(`is closed if it cannot be prepared, and the command prints ${what} and ends with 1`, async () => {
        const NOTES = newFile();
        const args = ['serve', '--port=0', '--store=./lives.mjs', '--log-level=silent'];
        const outcome = await outcomeOf(args, { NOTES, ...env }, { cwd: folder });
        expect(outcome).to.deep.equal({ code: 1, stdout: '', stderr: `animal-store: ${lines}\n` });
        expect(linesOf(readFileSync(NOTES, 'utf8'))).to.deep.equal(['connected', 'closed']);
      });
    }

    it('is not connected if the configuration has an error', async () => {
      const NOTES = newFile();
      const args = ['serve', '--port=x', '--store=./lives.mjs'];
      expect((await outcomeOf(args, { NOTES }, { cwd: folder })).code).to.equal(2);
      expect(existsSync(NOTES)).to.equal(false);
    });

    it('says to /readyz that it does not answer, and is closed before the process ends', async () => {
      const NOTES = newFile();
      const { url } = await start('./lives.mjs', { NOTES, READY: 'no' });
      expect((await send(new URL('/readyz', url).href)).status).to.equal(503);
      expect(await command?.stop()).to.deep.equal({ code: 0, signal: null });
      expect(linesOf(readFileSync(NOTES, 'utf8'))).to.deep.equal(['connected', 'prepared', 'closed']);
    });
  });
});
