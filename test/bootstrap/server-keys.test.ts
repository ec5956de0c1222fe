import { expect } from 'chai';
import { Container } from 'inversify';
import { InMemoryApiKeys } from '../../src/adapters/in-memory/in-memory-api-keys.js';
import { requireActiveKey } from '../../src/bootstrap/server-keys.js';
import { ConfigError } from '../../src/bootstrap/settings/config-error.js';
import { TOKENS } from '../../src/bootstrap/tokens.js';
import { rejectionOf } from '../support/rejection-of.js';

describe('the need of an active key', () => {
  let container: Container;
  let registry: InMemoryApiKeys;

  beforeEach(() => {
    registry = new InMemoryApiKeys();
    container = new Container();
    container.bind(TOKENS.apiKeyRegistry).toConstantValue(registry);
  });

  async function revokeKeys(count: number): Promise<void> {
    for (let i = 0; i < count; i++) await registry.revoke((await registry.create({ name: `number ${i}` })).id);
  }

  it('is met by one key, behind any number of others', async () => {
    await revokeKeys(150);
    await registry.create({ name: 'the last' });
    await requireActiveKey(container);
  });

  it('is not met by keys that are not active', async () => {
    await revokeKeys(1);
    expect(await rejectionOf(requireActiveKey(container))).to.be.instanceOf(ConfigError);
  });

  it('is not there without a registry', async () => {
    await requireActiveKey(new Container());
  });
});
