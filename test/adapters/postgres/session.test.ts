import { expect } from 'chai';
import type pg from 'pg';
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
    const look = async (session: pg.ClientBase): Promise<Record<string, unknown>> => {
      const columns = Object.keys(SETTINGS).map((name) => `current_setting('${name}') AS ${name}`);
      return (await session.query<Record<string, unknown>>(`SELECT ${columns.join()}`)).rows[0] ?? {};
    };
    return database.run({}, async (call) => database.withSession(call, look));
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
