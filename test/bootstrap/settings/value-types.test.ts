import { expect } from 'chai';
import { storeName } from '../../../src/bootstrap/modules/built-in-stores.js';
import {
  apiKeyName,
  apiKeys,
  baseUrl,
  bytes,
  corsOrigins,
  integer,
  lifetime,
  milliseconds,
  overlap,
  proxies,
  rate,
  text,
  TIMER_MAX_MS,
  type ValueType,
} from '../../../src/bootstrap/settings/value-types.js';

const YEAR = 365 * 86_400_000;

interface Texts {
  readonly type: ValueType<unknown>;
  /** Texts with their values. */
  readonly read: Readonly<Record<string, unknown>>;
  readonly refused: readonly string[];
}

/** Texts of settings, by what they stand for. */
const TEXTS: Readonly<Record<string, Texts>> = {
  'an integer': {
    type: integer(1, 300),
    read: { '1': 1, '007': 7, '300': 300, '0000000000000007': 7 },
    refused: ['', '0', '301', '1x', 'x1', '-1', '1.5', '1e3', '0x10', ' 1', '١', '9'.repeat(400)],
  },
  'a port': { type: integer(0, 65_535), read: { '0': 0 }, refused: ['', '80x', '80ms', '-0'] },
  'a size': {
    type: bytes(1, 2 ** 40),
    read: { '1': 1, '64KiB': 65_536, '10MiB': 10_485_760, '1048576MiB': 2 ** 40 },
    refused: ['0', '-1', 'x1', '1KiBx', 'KiB', '0KiB', '1kib', '64MB', '1GiB', '1 MiB', '1.5MiB', '1048577MiB'],
  },
  'a time': {
    type: milliseconds(1, TIMER_MAX_MS),
    read: { '12': 12, '12ms': 12, '10s': 10_000, '20m': 1_200_000, '2h': 7_200_000 },
    refused: ['0', '0s', '-1s', 'x1s', '1sx', '1ss', '10S', '10 s', '1.5s', 's', '1d', '2147483648', '597h'],
  },
  'the life of a key': {
    type: lifetime,
    read: { '1s': 1000, '20m': 1_200_000, '12h': 43_200_000, '90d': 7_776_000_000, '36500d': 100 * YEAR },
    refused: ['', '0s', 'x1s', '1sx', '01s', '1ms', '1', '-1d', '36501d', '999999999d', '12345678901234567s'],
  },
  'an overlap of keys': { type: overlap, read: { '0s': 0, '10s': 10_000 }, refused: ['0', '00s', '-1s'] },
  'a rate': {
    type: rate,
    read: {
      '1/s': { requests: 1, perMs: 1000 },
      '100/m': { requests: 100, perMs: 60_000 },
      '1000000000/h': { requests: 1e9, perMs: 3_600_000 },
    },
    refused: ['x1/s', '1/sx', '1/ms', '1/', '1s', '/s', '0/s', '100/d', '100 /s', '1.5/s', '-1/s', '1000000001/s'],
  },
  origins: {
    type: corsOrigins,
    read: { '*': ['*'], 'https://a.example , http://b.example:81': ['https://a.example', 'http://b.example:81'] },
    refused: ['', 'shop.example', 'null', 'https://a.example,', 'https://a.example,*', '*,*', 'https://*.example'],
  },
  proxies: {
    type: proxies,
    read: {
      '10.0.0.0/8, loopback': ['10.0.0.0/8', 'loopback'],
      '192.0.2.1,2001:db8::1,fc00::/7,private': ['192.0.2.1', '2001:db8::1', 'fc00::/7', 'private'],
    },
    refused: [
      ...['', 'all', '*', 'true', '1', '10.0.0.0/', '10.0.0.0/33', '::/129', '10.0.0/8'],
      ...['loopback,', 'Loopback', 'proxy.example', '10.0.0.1:80'],
    ],
  },
  'an address': {
    type: baseUrl,
    read: {
      'http://127.0.0.1:3000/v1': 'http://127.0.0.1:3000/v1',
      'https://[::1]:8443/the-shop/v1': 'https://[::1]:8443/the-shop/v1',
    },
    refused: [
      'https://api.example.com/v2',
      'https://api.example.com/shopv1',
      'https://api.example.com/V1',
      'https://api.example.com/v1/',
      'https://api.example.com/v1/pets',
      "https://x';/v1",
      'https://api.example.com/a/../v1',
      'https://api.example.com/v1?a=b',
      'https://api.example.com/v1?',
      'https://api.example.com/v1#top',
      'ftp://api.example.com/v1',
      'api.example.com/v1',
      'nonsense',
      'https://anna:secret@api.example.com/v1',
      'xhttps://a.example/v1',
      'https://a.example/v1\n/v2',
      'https:///v1',
      'https://a.example/',
    ],
  },
  'a text': { type: text('host'), read: { x: 'x', ' y ': ' y ' }, refused: ['', 'a\x07'] },
  'a name': {
    type: apiKeyName,
    read: { 'anna of the zoo': 'anna of the zoo' },
    refused: ['', 'an\nna', 'x'.repeat(257)],
  },
  'the name of a store': {
    type: storeName,
    read: Object.fromEntries(
      ['memory', 'pg-store', '@zoo/pg-store/sub', './a b.mjs', '../a', '.\\a', '/a'].map((name) => [name, name]),
    ),
    refused: ['', 'a b', ' ./a', 'a b/./c', '.a b', '@zoo'],
  },
  'named keys': {
    type: apiKeys,
    read: {
      'anna of the zoo:sixteen-in-all-:, ben:!~!~!~!~!~!~!~!~': [
        { name: 'anna of the zoo', key: 'sixteen-in-all-:' },
        { name: 'ben', key: '!~!~!~!~!~!~!~!~' },
      ],
    },
    refused: [
      '',
      'anna',
      `:${'x'.repeat(16)}`,
      `:anna:${'x'.repeat(16)}`,
      'anna:fifteen-in-all',
      `anna:${'x'.repeat(15)} x`,
      `anna:${'x'.repeat(16)} x`,
    ],
  },
};

describe('the text of a setting', () => {
  for (const [what, { type, read, refused }] of Object.entries(TEXTS)) {
    it(`is read as ${what}`, () => {
      for (const [given, value] of Object.entries(read)) expect(type.read(given), given).to.deep.equal({ value });
    });

    it(`is refused as ${what} if it is not one`, () => {
      for (const given of refused) expect(type.read(given), given).to.have.property('error');
    });
  }

  it('is refused as named keys if quotes stand around an entry, a name or a key, by the number of the entry', () => {
    const key = 'x'.repeat(16);
    for (const entry of [`"anna:${key}"`, `anna:"${key}"`, `'anna':${key}`, `anna:'${key}'`]) {
      const error = 'must have no quotes around an entry, a name or a key; invalid: entry 2';
      expect(apiKeys.read(`ben:${key},${entry}`), entry).to.deep.equal({ error });
    }
  });

  it('is refused with its rule', () => {
    for (const type of [text('host'), storeName]) {
      for (const control of ['\x1b[2J', '\n', '\x07', '\x7f', '\x9b2J']) {
        expect(type.read(`./a${control}b`)).to.deep.equal({ error: 'must not contain control characters' });
      }
    }
  });
});
