import { expect } from 'chai';
import { keysAsJson, keysAsTable, timeText } from '../../../src/bootstrap/commands/keys-output.js';
import type { ApiKey } from '../../../src/domain/api-keys/api-key.js';

const NOW = new Date('2026-11-20T12:00:00.999Z');
const createdAt = new Date('2026-01-02T03:04:05.678Z');

function later(milliseconds: number): Date {
  return new Date(NOW.getTime() + milliseconds);
}

const KEYS: readonly ApiKey[] = [
  { id: 'id-1', name: 'anna of the zoo', createdAt },
  { id: 'longer-id-2', name: 'ben', createdAt, revokedAt: later(-1000), expiresAt: later(-500) },
  { id: 'id-3', name: 'carla', createdAt, expiresAt: NOW },
  { id: 'id-4', name: 'dora', createdAt, expiresAt: later(2 * 86_400_000) },
  { id: 'id-5', name: 'emil', createdAt, expiresAt: later(86_400_000 - 1) },
  { id: 'id-6', name: 'frida', createdAt, expiresAt: later(60_000) },
  { id: 'id-7', name: 'gero', createdAt, expiresAt: later(1) },
];

describe('the list of keys', () => {
  it('is a table with the state of each, and for how long it still works', () => {
    expect(keysAsTable(KEYS, NOW)).to.equal(
      [
        'ID           CREATED                  STATE                                                 NAME',
        'id-1         2026-01-02 03:04:05 UTC  active                                                anna of the zoo',
        'longer-id-2  2026-01-02 03:04:05 UTC  revoked 2026-11-20 11:59:59 UTC                       ben',
        'id-3         2026-01-02 03:04:05 UTC  expired 2026-11-20 12:00:00 UTC                       carla',
        'id-4         2026-01-02 03:04:05 UTC  active until 2026-11-22 12:00:00 UTC (2 days left)    dora',
        'id-5         2026-01-02 03:04:05 UTC  active until 2026-11-21 12:00:00 UTC (23 hours left)  emil',
        'id-6         2026-01-02 03:04:05 UTC  active until 2026-11-20 12:01:00 UTC (1 minute left)  frida',
        'id-7         2026-01-02 03:04:05 UTC  active until 2026-11-20 12:00:01 UTC (1 second left)  gero',
      ].join('\n'),
    );
  });

  it('is a table with only its heading if there is no key', () => {
    expect(keysAsTable([], NOW)).to.equal('ID  CREATED  STATE  NAME');
  });

  it('is as JSON an array with the exact times of each', () => {
    expect(JSON.parse(keysAsJson(KEYS.slice(0, 3), NOW))).to.deep.equal([
      { id: 'id-1', name: 'anna of the zoo', state: 'active', createdAt: '2026-01-02T03:04:05.678Z' },
      {
        id: 'longer-id-2',
        name: 'ben',
        state: 'revoked',
        createdAt: '2026-01-02T03:04:05.678Z',
        expiresAt: '2026-11-20T12:00:00.499Z',
        revokedAt: '2026-11-20T11:59:59.999Z',
      },
      {
        id: 'id-3',
        name: 'carla',
        state: 'expired',
        createdAt: '2026-01-02T03:04:05.678Z',
        expiresAt: '2026-11-20T12:00:00.999Z',
      },
    ]);
  });

  it('says never for the end of a key that has none', () => {
    expect(timeText(undefined)).to.equal('never');
  });
});
