import { expect } from 'chai';
import { SERVE_SETTINGS } from '../../../src/bootstrap/server-config.js';
import type { Setting } from '../../../src/bootstrap/settings/setting.js';
import { outcomeOf } from '../../support/command.js';
import { errorsAbout, errorsOf, refusalOf } from '../outcome.js';

/** Each setting by its flag, with values that it refuses. The tests of the types of values try others. */
const BAD_VALUES: Readonly<Record<string, readonly [string, ...string[]]>> = {
  port: ['65536', '-1', 'x'],
  store: ['redis', 'Memory', 'memory,mongodb', 'toString', '__proto__'],
  'sqlite-file': [':memory:'],
  'base-url': ['https://api.example.com', '/v1'],
  'staging-base-url': ['https://api.example.com', '/v1'],
  'body-limit': ['268435457', '0'],
  'cors-origin': ['https://shop.example/'],
  'rate-limit': ['100'],
  'trust-proxy': ['proxy.example'],
  'metrics-port': ['65536', '-1'],
  'mongodb-deadline': ['0', 'x'],
  'max-connections': ['1000001', '0'],
  'max-in-flight': ['1000001', '0'],
  'max-unsent': ['1048577MiB', '0'],
  'keep-alive-timeout': ['999', '25h'],
  'log-level': ['loud', '30', 'constructor'],
  'shutdown-timeout': ['2147483648', '0'],
};

describe('animal-store serve with a bad configuration', function () {
  this.timeout(180_000);

  for (const [flag, values] of Object.entries(BAD_VALUES)) {
    it(`refuses each bad value of --${flag}, and names it`, async () => {
      for (const value of values) {
        // With another error, so that a value that is accepted starts nothing.
        const { errors } = await refusalOf(['serve', '-x', `--${flag}=${value}`]);
        expect(errors, value).to.have.lengthOf(2);
        expect(errorsAbout(`--${flag}`, errors), value).to.have.lengthOf(1);
      }
    });
  }

  it('refuses an empty value of every flag', async () => {
    const flags = ['host', ...Object.keys(BAD_VALUES)].map((flag) => `--${flag}`);
    const { errors } = await refusalOf(['serve', ...flags.map((flag) => `${flag}=`)]);
    for (const flag of flags) expect(errorsAbout(flag, errors), flag).to.have.lengthOf(1);
  });

  it('writes no control character to the terminal, whatever it quotes', async () => {
    const { stderr } = await outcomeOf(['serve', '--colour\x1b[2J\x9b', '--host=a\x07']);
    expect(stderr).to.include(String.raw`--colour\u001b[2J\u009b is not a flag`);
    expect(stderr.replaceAll('\n', '')).to.not.match(/\p{Cc}/u);
  });

  it('lists unknown flags, left-over words and errors of both sources together', async () => {
    const args = ['serve', 'extra', 'words', '--colour=blue', '--port=x', '--verbose', '-p'];
    const outcome = await outcomeOf(args, { PORT: 'y', LOG_LEVEL: 'loud', BODY_LIMIT: '0', API_KEYS: 'anna:short' });
    expect(outcome).to.include({ code: 2, stdout: '' });
    const errors = errorsOf(outcome);
    const names = ['--colour', '--port', '--verbose', '-p', 'LOG_LEVEL', 'BODY_LIMIT', 'API_KEYS'];
    for (const name of [...names, '2 arguments too many']) expect(errorsAbout(name, errors), name).to.have.lengthOf(1);
    expect(errors).to.have.lengthOf(names.length + 1);
  });

  it('refuses each value in quotes, which docker run --env-file passes on, by the name of its variable', async () => {
    const variables = Object.values(SERVE_SETTINGS).flatMap(({ variable }: Setting<unknown>) => variable ?? []);
    for (const quote of ['"', "'"]) {
      const env = Object.fromEntries(variables.map((variable) => [variable, `${quote}anna${quote}`]));
      const { errors } = await refusalOf(['serve'], env);
      for (const variable of variables) {
        expect(errorsAbout(variable, errors)).to.have.lengthOf(1);
        expect(errorsAbout(variable, errors)[0]).to.include('begins and ends with a quote');
      }
    }
  });
});
