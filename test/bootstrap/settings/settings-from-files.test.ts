import { expect } from 'chai';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadServerConfig } from '../../../src/bootstrap/server-config.js';
import { makeTemporaryFolder } from '../../support/temporary-folder.js';
import { refusalOf } from '../outcome.js';

const KEY = 'a-key-of-more-than-16';

describe('settings in files', () => {
  let folder: string;

  beforeEach(() => (folder = makeTemporaryFolder()));

  function file(name: string, text: string): string {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  }

  it('are read: those of --env-file, and the secrets that variables with _FILE name', async () => {
    const keys = file('keys', `anna:${KEY}\n`);
    const env = file(
      'env',
      `# A comment\nLOG_LEVEL="silent"\nexport BASE_URL='https://shop.example/shop/v1'\nAPI_KEYS_FILE=${keys}\n`,
    );
    expect(await loadServerConfig(['--env-file', env], {})).to.deep.include({
      logLevel: 'silent',
      baseUrl: 'https://shop.example/shop/v1',
      apiKeys: [{ name: 'anna', key: KEY }],
    });
  });

  it('of --env-file yield to flags and to variables that are set, but not to empty ones', async () => {
    const path = file('env', 'BASE_URL=https://file.example/v1');
    const BASE_URL = 'https://variable.example/v1';
    for (const [expected, env, ...flags] of [
      ['https://file.example/v1', {}],
      ['https://file.example/v1', { BASE_URL: '' }],
      [BASE_URL, { BASE_URL }],
      ['https://flag.example/v1', { BASE_URL }, '--base-url=https://flag.example/v1'],
    ] as const) {
      const { baseUrl } = await loadServerConfig([`--env-file=${path}`, ...flags], env);
      expect(baseUrl).to.equal(expected);
    }
  });

  it('of --env-file are checked as variables are, and an error if there is no such file', async () => {
    expect((await refusalOf(['serve', '--env-file', file('env', 'PORT=x')])).errors[0]).to.match(/^PORT must be /);
    const { errors } = await refusalOf(['serve', '--env-file', join(folder, 'missing'), '--port=x']);
    expect(errors[0]).to.equal('--env-file cannot be read: ENOENT');
    expect(errors[1]).to.match(/^--port /);
  });

  it('of secrets are checked as their variables are, and never shown', async () => {
    const { errors } = await refusalOf(['serve'], { API_KEYS_FILE: file('keys', 'anna:short') });
    expect(errors).to.have.lengthOf(1);
    expect(errors[0])
      .to.match(/^API_KEYS must be name:key entries/)
      .and.not.to.include('short');
  });

  it('of secrets are an error if the variable itself is set too, and if they cannot be read', async () => {
    for (const [path, error] of [
      [file('keys', `anna:${KEY}`), 'API_KEYS_FILE must not be set together with API_KEYS'],
      [folder, 'API_KEYS_FILE names a file that cannot be read: EISDIR'],
    ] as const) {
      const { errors } = await refusalOf(['serve', '--port=x'], { API_KEYS: `anna:${KEY}`, API_KEYS_FILE: path });
      expect(errors).to.include(error);
    }
  });

  it('are read for secrets alone', async () => {
    expect(await loadServerConfig([], { PORT_FILE: file('port', 'x') })).to.include({ port: 3000 });
  });
});
