import { expect } from 'chai';
import { ContainerModule, type Container } from 'inversify';
import type { ApiKeyManager } from '../../src/application/api-keys/api-key-manager.js';
import { createContainer } from '../../src/bootstrap/container.js';
import { inMemoryModule } from '../../src/bootstrap/modules/in-memory-module.js';
import { commandToCreateKey, requireActiveKey } from '../../src/bootstrap/server-keys.js';
import { ConfigError } from '../../src/bootstrap/settings/config-error.js';
import { TOKENS } from '../../src/bootstrap/tokens.js';
import { rejectionOf } from '../support/rejection-of.js';

describe('the need of an active key', () => {
  let container: Container;
  let manager: ApiKeyManager;

  beforeEach(async () => {
    container = await createContainer(inMemoryModule([]));
    manager = container.get(TOKENS.apiKeyManager);
  });

  const require = async (on: Container): Promise<void> =>
    requireActiveKey(on, 'API_KEYS must contain a key', 'make one');

  async function revokeKeys(count: number): Promise<void> {
    for (let i = 0; i < count; i++) await manager.revoke((await manager.issue({ name: `number ${i}` })).id);
  }

  it('is met by one key, behind any number of others', async () => {
    await revokeKeys(150);
    await manager.issue({ name: 'the last' });
    await require(container);
  });

  it('is not met by keys that are not active', async () => {
    await revokeKeys(1);
    const error = await rejectionOf(require(container));
    expect(error)
      .to.be.instanceOf(ConfigError)
      .with.deep.property('errors', [
        'API_KEYS must contain a key, because the store has no active one; or make one: make one',
      ]);
  });

  it('is not there without a registry', async () => {
    await require(await createContainer(inMemoryModule()));
  });
});

describe('the command that makes a key', () => {
  it('names the store, and what differs from its defaults, as words of a shell', () => {
    for (const [config, words] of [
      [{ store: 'sqlite', sqliteFile: 'animal-store.db' }, '--store sqlite'],
      [{ store: 'sqlite', sqliteFile: "/srv/Anna's zoo.db" }, `--store sqlite --sqlite-file '/srv/Anna'\\''s zoo.db'`],
      [
        { store: 'mongodb', mongodbUrl: 'mongodb://anna:secret@db/zoo', mongodbDeadline: 100 },
        '--store mongodb --mongodb-deadline 100',
      ],
      [{ store: './my store.mjs' }, `--store './my store.mjs'`],
    ] as const) {
      expect(commandToCreateKey(config)).to.equal(`animal-store keys create --name me ${words}`);
    }
  });

  it('is not known for a module', () => {
    expect(commandToCreateKey({ store: new ContainerModule(() => undefined) })).to.equal(undefined);
  });
});
