import { expect } from 'chai';
import { InMemoryApiKeys } from '../../../src/adapters/in-memory/in-memory-api-keys.js';
import type { ApiKey, ApiKeyRecord } from '../../../src/domain/api-keys/api-key.js';
import { apiKeyManagerOf } from '../../support/api-key-manager.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { linesOf, printedBy, refusalOf, runHere } from '../outcome.js';
import { storeFile } from '../store-file.js';
import { kept, STORE } from './kept-store.js';

const DAY = 86_400_000;
const NEW_KEY =
  /^id {7}(\S+)\nname {5}anna of the zoo\nexpires {2}(\S.*)\nkey {6}(ask_\S+)\nKeep the key: it is not stored, and cannot be shown again\.\n$/;

describe('animal-store keys, in one process', () => {
  const { write } = process.stderr;
  let warnings: string;

  beforeEach(() => {
    Object.assign(kept, { apiKeys: new InMemoryApiKeys(), closings: 0 });
    warnings = '';
    process.stderr.write = (text): boolean => Boolean((warnings += String(text)));
  });

  afterEach(() => {
    process.stderr.write = write;
  });

  const keys = async (...args: string[]): Promise<string> => printedBy(['keys', ...args, `--store=${STORE}`]);

  const issue = async () => apiKeyManagerOf(kept.apiKeys).issue({ name: 'anna of the zoo' });

  const stored = async (id: string): Promise<ApiKey | undefined> => kept.apiKeys.find(id);

  it('prints a new key once, with what is known about it, and closes the store', async () => {
    const [, id = '', expires, key = ''] = NEW_KEY.exec(await keys('create', '--name=anna of the zoo')) ?? [];
    expect(expires).to.equal('never');
    expect(await kept.apiKeys.verify(key)).to.deep.equal({ name: 'anna of the zoo' });
    expect(await stored(id)).not.to.have.property('expiresAt');
    expect({ closings: kept.closings, warnings }).to.deep.equal({ closings: 1, warnings: '' });
  });

  it('says that a second key of a name is the second', async () => {
    await issue();
    await keys('create', '--name=anna of the zoo');
    expect(warnings).to.equal('anna of the zoo has 2 active keys now: keys list shows them\n');
  });

  it('makes a key that expires after the given time', async () => {
    const [, id = '', expires] = NEW_KEY.exec(await keys('create', '--name=anna of the zoo', '--expires=90d')) ?? [];
    const { createdAt, expiresAt } = (await stored(id)) ?? {};
    expect(Number(expiresAt) - Number(createdAt)).to.equal(90 * DAY);
    expect(expires).to.equal(`${expiresAt?.toISOString().slice(0, 19).replace('T', ' ')} UTC`);
  });

  it('lists every key with its state, as a table or as JSON', async () => {
    const [createdAt, past, future] = ['2026-11-01', '2026-11-20', '2999-12-31'].map((day) => new Date(day));
    const records = [
      { id: 'a', name: 'anna' },
      { id: 'bb', name: 'ben', expiresAt: future },
      { id: 'c', name: 'cara', expiresAt: past },
      { id: 'd', name: 'dan', expiresAt: future, revokedAt: past },
    ] as const;
    for (const record of records)
      await kept.apiKeys.add({ ...record, createdAt, digest: record.id.repeat(64).slice(-64) } as ApiKeyRecord);
    const lines = linesOf(await keys('list'));
    expect(new Set(lines.map((line) => line.search(/\w+$/)))).to.have.property('size', 1);
    expect(lines.map((line) => line.replaceAll(/ {2,}/g, '|'))).to.deep.equal([
      'ID|CREATED|STATE|NAME',
      'a|2026-11-01 00:00:00 UTC|active|anna',
      'bb|2026-11-01 00:00:00 UTC|active until 2999-12-31 00:00:00 UTC|ben',
      'c|2026-11-01 00:00:00 UTC|expired 2026-11-20 00:00:00 UTC|cara',
      'd|2026-11-01 00:00:00 UTC|revoked 2026-11-20 00:00:00 UTC|dan',
    ]);
    const entries = JSON.parse(await keys('list', '--json')) as readonly object[];
    expect(entries).to.have.lengthOf(4);
    expect(entries[2]).to.deep.equal({
      id: 'c',
      name: 'cara',
      state: 'expired',
      createdAt: '2026-11-01T00:00:00.000Z',
      expiresAt: '2026-11-20T00:00:00.000Z',
    });
  });

  for (const [what, flags, overlap] of [
    ['a day', [], DAY],
    ['the overlap that it is given', ['--overlap=2h'], DAY / 12],
    ['no time', ['--overlap=0s'], 0],
  ] as const) {
    it(`lets a rotated key go on working for ${what}`, async () => {
      const old = await issue();
      const [, id = ''] = NEW_KEY.exec(await keys('rotate', old.id, ...flags)) ?? [];
      const successor = await stored(id);
      expect(Number((await stored(old.id))?.expiresAt) - Number(successor?.createdAt)).to.equal(overlap);
      expect(kept.closings).to.equal(1);
    });
  }

  it('revokes a key, and says so', async () => {
    const { id } = await issue();
    expect(await keys('revoke', id)).to.equal(`revoked ${id}\n`);
    expect(await stored(id)).to.have.property('revokedAt');
  });

  for (const action of ['rotate', 'revoke']) {
    it(`points to keys list if no key has the id to ${action}, and closes the store`, async () => {
      const error = await rejectionOf(keys(action, 'anna of the zoo'));
      expect(String(error)).to.match(/: animal-store keys list shows the id of each key$/);
      expect(kept.closings).to.equal(1);
    });
  }

  for (const action of ['create', 'rotate']) {
    it(`names a key that ${action} could not print, which can be revoked`, async () => {
      const argument = action === 'create' ? '--name=anna' : (await issue()).id;
      const output = process.stdout.write;
      process.stdout.write = (_text: unknown, done?: unknown) => {
        if (typeof done === 'function') (done as (error: Error) => void)(new Error('ENOSPC'));
        return false;
      };
      const error = await rejectionOf(runHere(['keys', action, argument, `--store=${STORE}`]));
      process.stdout.write = output;
      const named = /^the key (\S+) was not printed; revoke it: animal-store keys revoke \1$/;
      const [, id = ''] = named.exec((error as Error).message) ?? [];
      expect(await stored(id))
        .to.be.an('object')
        .and.not.have.property('expiresAt');
    });
  }

  it('ends well once a new key is printed, even if the store then fails', async () => {
    Object.assign(kept.apiKeys, { list: async () => Promise.reject(new Error('the database is gone')) });
    expect(await keys('create', '--name=anna of the zoo')).to.match(NEW_KEY);
  });

  it('is refused for a store without a registry of keys', async () => {
    expect(await refusalOf(['keys', 'list', `--store=${storeFile('({})')}`])).to.include(
      'does not bind TOKENS.apiKeyRegistry',
    );
  });
});
