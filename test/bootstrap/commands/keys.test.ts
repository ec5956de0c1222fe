import { expect } from 'chai';
import { InMemoryApiKeys } from '../../../src/adapters/in-memory/in-memory-api-keys.js';
import type { ApiKey } from '../../../src/domain/api-keys/api-key.js';
import { apiKeyManagerOf } from '../../support/api-key-manager.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { linesOf, printedBy } from '../outcome.js';
import { kept, STORE } from './kept-store.js';

const DAY = 86_400_000;
const NEW_KEY =
  /^id {7}(\S+)\nname {5}anna of the zoo\nexpires {2}(\S.*)\nkey {6}(ask_\S+)\nKeep the key: it is not stored, and cannot be shown again\.\n$/;

describe('animal-store keys, in one process', () => {
  beforeEach(() => Object.assign(kept, { apiKeys: new InMemoryApiKeys(), closings: 0 }));

  const keys = async (...args: string[]): Promise<string> => printedBy(['keys', ...args, `--store=${STORE}`]);

  /** Makes a key for a test that asks something else. */
  const issue = async () => apiKeyManagerOf(kept.apiKeys).issue({ name: 'anna of the zoo' });

  /** What the store knows about a key. */
  const stored = async (id: string): Promise<ApiKey | undefined> => kept.apiKeys.find(id);

  it('prints a new key once, with what is known about it, and closes the store', async () => {
    const [, id = '', expires, key = ''] = NEW_KEY.exec(await keys('create', '--name=anna of the zoo')) ?? [];
    expect(expires).to.equal('never');
    expect(await kept.apiKeys.verify(key)).to.deep.equal({ name: 'anna of the zoo' });
    expect(await stored(id)).not.to.have.property('expiresAt');
    expect(kept.closings).to.equal(1);
  });

  it('passes the environment, and a log of warnings, to the store', async () => {
    const env = { ZOO: 'Basel' };
    await printedBy(['keys', 'list', `--store=${STORE}`], env);
    const context = kept.contexts.at(-1);
    expect(context?.env).to.deep.equal(env);
    expect(context?.log).to.include({ level: 'warn' });
  });

  it('makes a key that expires after the given time', async () => {
    const [, id = '', expires] = NEW_KEY.exec(await keys('create', '--name=anna of the zoo', '--expires=90d')) ?? [];
    const { createdAt, expiresAt } = (await stored(id)) ?? {};
    expect(Number(expiresAt) - Number(createdAt)).to.equal(90 * DAY);
    expect(expires).to.equal(`${expiresAt?.toISOString().slice(0, 19).replace('T', ' ')} UTC`);
  });

  it('lists every key as a table, and closes the store', async () => {
    const { id } = await issue();
    const [head, ...lines] = linesOf(await keys('list'));
    expect(head).to.match(/^ID +CREATED +STATE +NAME$/);
    expect(lines.filter((line) => line.startsWith(id))).to.have.lengthOf(1);
    expect(kept.closings).to.equal(1);
  });

  it('lists every key as JSON with --json', async () => {
    const { id } = await issue();
    const entries = JSON.parse(await keys('list', '--json')) as readonly { readonly id: string }[];
    expect(entries.find((entry) => entry.id === id)).to.include({ name: 'anna of the zoo', state: 'active' });
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

  it('revokes a key, says so, and closes the store', async () => {
    const { id } = await issue();
    expect(await keys('revoke', id)).to.equal(`revoked ${id}\n`);
    expect(await stored(id)).to.have.property('revokedAt');
    expect(kept.closings).to.equal(1);
  });

  for (const action of ['rotate', 'revoke']) {
    it(`closes the store if there is no key to ${action}`, async () => {
      expect(await rejectionOf(keys(action, 'nobody'))).to.include({ code: 'api_key_not_found' });
      expect(kept.closings).to.equal(1);
    });
  }
});
