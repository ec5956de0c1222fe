import { expect } from 'chai';
import {
  openPostgresDatabase,
  PostgresApiKeyRegistry,
  PostgresApiKeys,
  type PostgresDatabase,
} from '../../../src/adapters/postgres/index.js';
import { verifyApiKeyRegistryContract } from '../../contracts/api-key-registry-contract.js';
import { makeKey, type CreatedApiKeyRegistry } from '../../contracts/api-key-registry-subject.js';
import { verifyApiKeysContract } from '../../contracts/api-keys-contract.js';
import { apiKeyManagerOf } from '../../support/api-key-manager.js';
import { endWithTest } from '../../support/cleanup.js';
import { PATIENT } from '../../support/patience.js';
import { usePostgres } from '../../support/postgres.js';

describe('PostgresApiKeys and PostgresApiKeyRegistry', () => {
  const postgres = usePostgres();
  let url: string;
  let database: PostgresDatabase;

  async function open(): Promise<CreatedApiKeyRegistry> {
    const opened = await openPostgresDatabase(url, PATIENT);
    endWithTest(async () => opened.close());
    database = opened;
    return { registry: new PostgresApiKeyRegistry(opened), apiKeys: new PostgresApiKeys(opened) };
  }

  async function create(): Promise<CreatedApiKeyRegistry> {
    url = await postgres.createUrl();
    return open();
  }

  verifyApiKeysContract({
    issueKeys: async (names) => {
      const { registry, apiKeys } = await create();
      const keys: string[] = [];
      for (const name of names) keys.push((await apiKeyManagerOf(registry).issue({ name })).key);
      return { apiKeys, keys };
    },
  });

  verifyApiKeyRegistryContract({
    createRegistry: create,
    reopen: async () => {
      await database.close();
      return open();
    },
    openAnother: open,
  });

  it('list keys by code unit, although the collation of the database is linguistic', async () => {
    const { registry } = await create();
    const ids = ['B', 'Z_1', 'Z-1', '_', 'a', 'b'];
    for (const id of ids.toReversed()) await registry.add({ ...makeKey().record, id });
    const { keys } = await registry.list({ limit: 100 });
    expect(keys.map(({ id }) => id)).to.deep.equal(ids.toSorted());
  });

  it('find no key by a text with U+0000, which PostgreSQL refuses', async () => {
    const { registry } = await create();
    expect(await registry.find('\0')).to.equal(undefined);
  });
});
