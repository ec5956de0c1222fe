import { expect } from 'chai';
import { usePostgres } from '../../support/postgres.js';
import { openUntilEnd } from './open.js';

/** What each connection sets. */
const SETTINGS = {
  synchronous_commit: 'on',
  default_transaction_isolation: 'read committed',
  client_min_messages: 'warning',
  jit: 'off',
};

describe('a connection to PostgreSQL', () => {
  const postgres = usePostgres();

  /** The settings of a connection whose URL sets these. */
  async function settingsWith(given: Readonly<Record<string, string>>): Promise<Record<string, unknown>> {
    const url = new URL(await postgres.createUrl());
    const flags = Object.entries(given).map(([name, value]) => ` -c ${name}=${value.replace(' ', '\\ ')}`);
    url.searchParams.set('options', `${url.searchParams.get('options') ?? ''}${flags.join('')}`);
    const database = await openUntilEnd(url.href);
    const names = Object.keys(SETTINGS);
    const text = `SELECT ${names.map((name) => `current_setting('${name}')`).join()}`;
    const [row = []] = await database.run({}, async (call) => database.withSession(call, async (run) => run({ text })));
    return Object.fromEntries(names.map((name, i) => [name, row[i]]));
  }

  it('sets what acknowledged commits rely on, and compiles no statement, whatever its URL says', async () => {
    const weak = {
      synchronous_commit: 'off',
      default_transaction_isolation: 'serializable',
      client_min_messages: 'error',
      jit: 'on',
    };
    expect(await settingsWith(weak)).to.deep.equal(SETTINGS);
  });

  it('leaves a stronger commit as it is', async () => {
    expect(await settingsWith({ synchronous_commit: 'remote_apply' })).to.deep.equal({
      ...SETTINGS,
      synchronous_commit: 'remote_apply',
    });
  });
});
