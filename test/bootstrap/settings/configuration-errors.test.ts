import { expect } from 'chai';
import { SERVE_SETTINGS } from '../../../src/bootstrap/server-config.js';
import type { ConfigError } from '../../../src/bootstrap/settings/config-error.js';
import type { Setting } from '../../../src/bootstrap/settings/setting.js';
import { outcomeOf } from '../../support/command.js';
import { errorsAbout, errorsOf, refusalOf } from '../outcome.js';

/** Addresses that neither deployment can have. */
const BAD_ADDRESSES = [
  'https://api.example.com',
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
  '/v1',
  'https:///v1',
  'https://anna:s3cret-s3cret-s3cret@api.example.com/v1',
  'nonsense',
] as const;

const NO_WHOLE_NUMBERS = ['-1', 'x', '1.5', '1e3', '0x10', ' 1', '١', '9'.repeat(400)] as const;

/** Each setting by its flag and its variable, with values that it refuses. */
const BAD_VALUES: readonly (readonly [flag: string, variable: string, values: readonly string[]])[] = [
  ['--port', 'PORT', ['65536', ...NO_WHOLE_NUMBERS]],
  ['--store', 'STORE', ['redis', 'Memory', 'memory,mongodb', 'toString', '__proto__']],
  ['--sqlite-file', 'SQLITE_FILE', [':memory:']],
  ['--base-url', 'BASE_URL', BAD_ADDRESSES],
  ['--staging-base-url', 'STAGING_BASE_URL', BAD_ADDRESSES],
  ['--body-limit', 'BODY_LIMIT', ['0', ...NO_WHOLE_NUMBERS, '1kib', '1 KiB', '1.5MiB', 'KiB', '268435457', '0KiB']],
  [
    '--cors-origin',
    'CORS_ORIGIN',
    ['https://shop.example/', 'shop.example', 'null', 'https://a.example,', '*,https://a.example', 'https://*.example'],
  ],
  ['--rate-limit', 'RATE_LIMIT', ['0/s', '100', '100/d', '100 /s', '1.5/s', '-1/s', '/s', '1000000001/s']],
  [
    '--trust-proxy',
    'TRUST_PROXY',
    ['all', '*', 'true', '10.0.0.0/33', '::/129', '10.0.0/8', 'loopback,', 'Loopback', 'proxy.example', '10.0.0.1:80'],
  ],
  ['--metrics-port', 'METRICS_PORT', ['65536', ...NO_WHOLE_NUMBERS]],
  ['--mongodb-deadline', 'MONGODB_DEADLINE', ['0', ...NO_WHOLE_NUMBERS]],
  ['--max-connections', 'MAX_CONNECTIONS', ['0', '1000001', ...NO_WHOLE_NUMBERS]],
  ['--max-in-flight', 'MAX_IN_FLIGHT', ['0', '1000001', ...NO_WHOLE_NUMBERS]],
  ['--max-unsent', 'MAX_UNSENT', ['0', ...NO_WHOLE_NUMBERS, '64MB', '1GiB', '1048577MiB']],
  ['--keep-alive-timeout', 'KEEP_ALIVE_TIMEOUT', ['0', '999', '25h', '1.5s', 'x']],
  ['--log-level', 'LOG_LEVEL', ['loud', '30', 'constructor']],
  [
    '--shutdown-timeout',
    'SHUTDOWN_TIMEOUT',
    ['0', ...NO_WHOLE_NUMBERS, '10S', '10 s', '1.5s', 's', '1d', '0s', '2147483648', '-1s'],
  ],
];
const FLAG_ROUNDS = Math.max(...BAD_VALUES.map(([, , values]) => values.length));
const VARIABLE_ROUNDS = 6;

type Round = readonly { readonly name: string; readonly value: string }[];

describe('animal-store serve with a bad configuration', function () {
  this.timeout(180_000);

  describe('in its flags', () => {
    for (let i = 0; i < FLAG_ROUNDS; i++) {
      const round = roundOf(i, ([flag]) => flag);
      verifyRound(round, () => refusalOf(['serve', ...round.map(({ name, value }) => `${name}=${value}`)]));
    }
  });

  describe('in its environment', () => {
    for (let i = 0; i < VARIABLE_ROUNDS; i++) {
      const round = roundOf(i, ([, variable]) => variable);
      verifyRound(round, () => refusalOf(['serve'], Object.fromEntries(round.map(({ name, value }) => [name, value]))));
    }
  });

  it('refuses an empty value of every flag', async () => {
    const flags = ['--host', ...BAD_VALUES.map(([flag]) => flag)];
    const { errors } = await refusalOf(['serve', ...flags.map((flag) => `${flag}=`)]);
    for (const flag of flags) expect(errorsAbout(flag, errors), flag).to.have.lengthOf(1);
  });

  it('refuses control characters in addresses and the names of files', async () => {
    for (const control of ['\x1b[2J', '\n', '\x07', '\x7f', '\x9b2J']) {
      const { errors } = await refusalOf(['serve', `--host=a${control}b`, `--store=./a${control}b.mjs`]);
      expect(errors.map((error) => error.split(' ', 1)[0])).to.deep.equal(['--host', '--store']);
    }
  });

  it('writes no control character to the terminal, whatever it quotes', async () => {
    const { stderr } = await outcomeOf(['serve', '--colour\x1b[2J\x9b', '--host=a\x07']);
    expect(stderr).to.include(String.raw`--colour\u001b[2J\u009b is not a flag`);
    expect(stderr.replaceAll('\n', '')).to.not.match(/\p{Cc}/u);
  });

  it('lists unknown flags, left-over words and errors of both sources together', async () => {
    const args = ['serve', 'extra', 'words', '--colour=blue', '--port=x', '--verbose', '-p'];
    const outcome = await outcomeOf(args, { LOG_LEVEL: 'loud', BODY_LIMIT: '0', API_KEYS: 'anna:short' });
    expect(outcome).to.include({ code: 2, stdout: '' });
    const errors = errorsOf(outcome);
    for (const name of ['--colour', '--port', '--verbose', '-p', 'LOG_LEVEL', 'BODY_LIMIT', 'API_KEYS']) {
      expect(errorsAbout(name, errors), name).to.have.lengthOf(1);
    }
    expect(errorsAbout('2 arguments too many', errors)).to.have.lengthOf(1);
  });

  it('refuses each value in quotes, which docker run --env-file passes on, by the name of its variable', async () => {
    const variables = Object.values(SERVE_SETTINGS).flatMap(({ variable }: Setting<unknown>) => variable ?? []);
    for (const quote of ['"', "'"]) {
      const env = Object.fromEntries(variables.map((variable) => [variable, `${quote}anna${quote}`]));
      const { errors } = await refusalOf(['serve'], env);
      for (const variable of variables) {
        expect(errorsAbout(variable, errors)).to.deep.equal([
          `${variable} begins and ends with a quote, which would be part of the value: remove the quotes`,
        ]);
      }
    }
  });

  it('names the flag if the flag and the variable are both wrong', async () => {
    const { errors } = await refusalOf(['serve', '--port=x'], { PORT: 'y' });
    expect(errorsAbout('--port', errors)).to.have.lengthOf(1);
  });
});

/** The bad values of the n-th round: the n-th of every setting that has so many. */
function roundOf(n: number, nameOf: (setting: (typeof BAD_VALUES)[number]) => string): Round {
  return BAD_VALUES.flatMap((setting) => {
    const value = setting[2][n];
    return value === undefined ? [] : [{ name: nameOf(setting), value }];
  });
}

/** Declares that the refusal of all of a round's values lists each of them, and nothing besides. */
function verifyRound(round: Round, refuse: () => Promise<ConfigError>): void {
  const all = round.map(({ name, value }) => `${name}=${value.slice(0, 60)}`).join(' ');
  it(`refuses ${all}`, async () => {
    const { errors, message } = await refuse();
    const unnamed = round.filter(({ name }) => errorsAbout(name, errors).length !== 1);
    expect(unnamed, message).to.deep.equal([]);
    expect(errors).to.have.lengthOf(round.length);
    expect(message)
      .to.not.include('s3cret')
      .and.not.to.match(/^\s+at /m);
  });
}
