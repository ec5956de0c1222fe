import { expect } from 'chai';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SERVE_SETTINGS, SERVER_DEFAULTS } from '../../../src/bootstrap/settings/settings.js';
import { apiKeys, keyTime, type Parse } from '../../../src/bootstrap/settings/values.js';
import { outcomeOf, startCommand } from '../../support/command.js';
import { send } from '../../support/request.js';
import { makeTemporaryFolder } from '../../support/temporary-folder.js';
import { printedBy, refusalOf } from '../outcome.js';

const KEY = 'a-key-of-more-than-16';
const SECRET = 'S3cretS3cretS3cret';

type Settings = typeof SERVE_SETTINGS;

/** Texts of each setting that are read, with their values, and texts that are refused. */
const TEXTS: Readonly<
  Partial<
    Record<keyof Settings, { readonly read: Readonly<Record<string, unknown>>; readonly refused: readonly string[] }>
  >
> = {
  host: { read: { '::': '::' }, refused: ['', 'a\nb', '"::"', "'::'", '--port'] },
  port: { read: { '0': 0, '65535': 65_535 }, refused: ['65536', '-1', '1.5', '0x1', '1e3', ' 1', '1'.repeat(400)] },
  sqliteFile: { read: { 'a b.db': 'a b.db' }, refused: [':memory:'] },
  postgresDeadline: { read: { '500ms': 500, '5s': 5000 }, refused: ['0', '5 s', '1w'] },
  mongodbDeadline: { read: { '500ms': 500, '5s': 5000, '1m': 60_000 }, refused: ['0', '5 s', '1w'] },
  baseUrl: {
    read: { 'https://a.example/shop/v1': 'https://a.example/shop/v1' },
    refused: ['https://a.example', '/v1', 'https://u:p@a.example/v1', 'https://a.example/v1?a', 'ftp://a.example/v1'],
  },
  bodyLimit: { read: { '1': 1, '64KiB': 65_536, '1MiB': 1_048_576 }, refused: ['0', '1kib', '268435457', '1GiB'] },
  corsOrigin: {
    read: { '*': ['*'], 'https://a.example, http://b.example:8080': ['https://a.example', 'http://b.example:8080'] },
    refused: ['https://a.example/', '*,https://a.example', 'a.example', ','],
  },
  trustProxy: {
    read: { 'loopback, private,10.0.0.0/8': ['loopback', 'private', '10.0.0.0/8'], '::1': ['::1'] },
    refused: ['proxy.example', '1', '10.0.0.0/33', '', 'loopback,'],
  },
  rateLimit: {
    read: { '100/s': { requests: 100, perMs: 1000 }, '5/h': { requests: 5, perMs: 3_600_000 } },
    refused: ['100', '0/s', '1/d', '1000000001/s'],
  },
  logLevel: { read: { silent: 'silent' }, refused: ['loud', '30', 'constructor', ''] },
  keepAliveTimeout: { read: { '10m': 600_000, '1s': 1000 }, refused: ['999', '25h'] },
  shutdownTimeout: { read: { '10s': 10_000, '1000': 1000 }, refused: ['10', '2147483648'] },
};

describe('the settings of animal-store serve', () => {
  for (const [name, { read, refused }] of Object.entries(TEXTS)) {
    const option = SERVE_SETTINGS[name as keyof Settings];
    const flag = String(option.long);

    it(`read ${flag}`, () => {
      for (const [text, value] of Object.entries(read)) {
        const parsed = (option.parseArg as Parse<unknown>)(text);
        expect(parsed, text).to.deep.equal(value);
      }
    });

    it(`refuse each bad value of ${flag}, by the name of the flag or the variable`, async () => {
      for (const text of refused) {
        const message = await refusalOf(['serve', `${flag}=${text}`]);
        expect(message, text).to.match(new RegExp(`^option '${flag} .* is invalid\\. `, 's'));
        if (text === '') continue;
        expect(await refusalOf(['serve'], { [String(option.envVar)]: text }), text).to.include(`'${option.envVar}'`);
      }
    });
  }

  it('are named in the code as commander names their values', () => {
    const names = Object.values(SERVE_SETTINGS).map((option) => option.attributeName());
    expect(names).to.deep.equal(Object.keys(SERVE_SETTINGS));
  });

  it('take flags before variables, and empty variables as not set', async () => {
    const env = { BASE_URL: 'https://variable.example/v1', STAGING_BASE_URL: '' };
    const urls = async (...flags: string[]): Promise<unknown> =>
      (JSON.parse(await printedBy(['openapi', ...flags], env)) as { servers: { url: string }[] }).servers;
    const production = (url: string): unknown => [{ url, description: 'Production' }];
    expect(await urls()).to.deep.equal(production('https://variable.example/v1'));
    expect(await urls('--base-url=https://flag.example/v1')).to.deep.equal(production('https://flag.example/v1'));
  });

  it('have the defaults of the documents', () => {
    expect(SERVER_DEFAULTS).to.deep.include({ host: '127.0.0.1', port: 3000, store: 'memory', bodyLimit: 65_536 });
    expect(SERVER_DEFAULTS).to.deep.include({ maxConnections: 10_000, maxInFlight: 1000, mongodbDeadline: 5000 });
  });
});

describe('the values of other settings', () => {
  const accepts = (parse: Parse<unknown>, text: string): boolean => {
    try {
      parse(text);
      return true;
    } catch {
      return false;
    }
  };

  it('are times of keys', () => {
    expect([keyTime(1)('90d'), keyTime(0)('0s')]).to.deep.equal([90 * 86_400_000, 0]);
    for (const text of ['0d', '90', '1w', '1.5d', '36501d']) expect(accepts(keyTime(1), text), text).to.equal(false);
  });

  it('are keys with their names', () => {
    const key = `a'key"of-more:than16`;
    expect(apiKeys(`anna:${key}, ben b:${KEY}`)).to.deep.equal([
      { name: 'anna', key },
      { name: 'ben b', key: KEY },
    ]);
    for (const text of [
      'anna',
      `:${KEY}`,
      'anna:fifteen-letters',
      `anna:${KEY},`,
      `anna:${KEY} b`,
      `"anna":${KEY}`,
      `anna:"${KEY}"`,
    ]) {
      expect(accepts(apiKeys, text), text).to.equal(false);
    }
  });
});

describe('the secrets of the command', () => {
  const ON_MONGODB = { STORE: 'mongodb', API_KEYS: `anna:${SECRET}` };

  it('come from files that variables name, whose line feed at the end does not count', async () => {
    const path = join(makeTemporaryFolder(), 'keys');
    writeFileSync(path, `anna:${KEY}\r\n`);
    const command = await startCommand([], { API_KEYS_FILE: path });
    expect((await send(`${command.url}/pets`, { key: KEY })).status).to.equal(200);
    await command.stop();
  });

  it('come from a file only in the form that the variable has', async () => {
    const path = join(makeTemporaryFolder(), 'keys');
    writeFileSync(path, `anna:${KEY}\nben:${SECRET}\n`);
    expect(await refusalOf(['serve'], { API_KEYS_FILE: path })).to.equal(
      'the file that API_KEYS_FILE names is invalid. It must be name:key entries separated by commas, not by lines.',
    );
  });

  for (const [what, env, message] of [
    [
      'is short',
      { API_KEYS: `anna:${SECRET},ben:S3cret` },
      /^API_KEYS is invalid\. It must be name:key .*entry 2 is not\.$/,
    ],
    ['is in quotes', { API_KEYS: `"anna:${SECRET}"` }, /^API_KEYS is invalid\. It begins and ends with a quote/],
    ['is missing', ON_MONGODB, /^MONGODB_URL is required/],
    ['is there twice', { ...ON_MONGODB, API_KEYS_FILE: '/S3cret' }, /^API_KEYS and API_KEYS_FILE are both set$/],
    ['is in no file', { API_KEYS_FILE: '/nowhere' }, /^the file that API_KEYS_FILE names cannot be read: ENOENT$/],
    ['is in a URL', { BASE_URL: `https://anna:x@api.example.com/v1` }, /'BASE_URL' is invalid/],
  ] as const) {
    it(`are named, but not repeated, if one ${what}`, async () => {
      expect(await refusalOf(['serve'], env))
        .to.match(message)
        .and.not.to.include('S3cret');
    });
  }
});

describe('--env-file', () => {
  let folder: string;

  beforeEach(() => (folder = makeTemporaryFolder()));

  const file = (content: string | Uint8Array): string => {
    const path = join(folder, 'env');
    writeFileSync(path, content);
    return path;
  };

  it('sets variables that are not set already, of which empty ones count as not set', async () => {
    const path = file(
      `STORE=memory\nAPI_KEYS="anna:${KEY}"\nPORT=\nBASE_URL=https://file.example/v1\nHOST=127.0.0.2\n`,
    );
    const env = { BASE_URL: 'https://variable.example/shop/v1', HOST: '' };
    const command = await startCommand([`--env-file=${path}`], env);
    expect(command.url).to.match(/^http:\/\/127\.0\.0\.2:\d+\/shop\/v1$/);
    expect((await send(`${command.url}/pets`, { key: KEY })).status).to.equal(200);
    await command.stop();
  });

  for (const [what, content, message] of [
    ['begins with a byte order mark', '\ufeffSTORE=sqlite\n', 'begins with a byte order mark'],
    ['is UTF-16 without a mark', Buffer.from('STORE=sqlite\n', 'utf16le'), 'must be UTF-8'],
    ['is Latin 1', Buffer.from('SQLITE_FILE=h\u00fc.db', 'latin1'), 'must be UTF-8'],
  ] as const) {
    it(`is refused by name if the file ${what}`, async () => {
      const message_ = await refusalOf(['serve', `--env-file=${file(content)}`]);
      expect(message_)
        .to.match(/^option '--env-file <file>' argument /)
        .and.to.include(message);
    });
  }

  it('ends the process with 9 and the words of Node, which reads it first, if there is no such file', async () => {
    const { code, stderr } = await outcomeOf(['serve', '--env-file', join(folder, 'none')]);
    expect(code).to.equal(9);
    expect(stderr.endsWith(`node: ${join(folder, 'none')}: not found\n`), stderr).to.equal(true);
  });

  it('is refused if there is no such file, or no regular one', async () => {
    expect(await refusalOf(['serve', `--env-file=${join(folder, 'none')}`])).to.include('cannot be read: ENOENT');
    expect(await refusalOf(['serve', `--env-file=${folder}`])).to.include('must be a regular file');
  });
});
