import { expect } from 'chai';
import { readSettings } from '../../../src/bootstrap/settings/read-settings.js';
import { ConfigError } from '../../../src/bootstrap/settings/config-error.js';
import {
  defaultsOf,
  defaultText,
  flagOnly,
  secret,
  setting,
  switchFlag,
} from '../../../src/bootstrap/settings/setting.js';
import { apiKeys, bytes, integer, text } from '../../../src/bootstrap/settings/value-types.js';
import { rejectionOf } from '../../support/rejection-of.js';

const size = (defaultValue: number) => setting('SIZE', 'how large', bytes(1, 2 ** 30), defaultValue);

describe('the default of a setting', () => {
  it('is shown as it could be given', () => {
    expect(defaultText(size(3 * 2 ** 20))).to.equal('3MiB');
    expect(defaultText(size(2 ** 20 + 1))).to.equal('1048577');
    expect(defaultText(setting('PORT', 'the port', integer(0, 65_535), 3000))).to.equal('3000');
    expect(defaultText(setting('HOST', 'the host', text('host'), '127.0.0.1'))).to.equal('127.0.0.1');
    expect(defaultText({ help: 'no type', defaultValue: 7 })).to.equal('7');
  });

  it('is not shown if it is neither a text nor a number', () => {
    expect(defaultText(switchFlag('json', 'as JSON'))).to.equal('');
    expect(defaultText(setting<string | undefined>('HOST', 'the host', text('host'), undefined))).to.equal('');
  });

  it('applies if nothing is given', () => {
    expect(defaultsOf({ size: size(7), json: switchFlag('json', 'as JSON') })).to.deep.equal({ size: 7, json: false });
  });
});

describe('readSettings', () => {
  it('reads a setting that only a flag has', async () => {
    const settings = { name: flagOnly('name', 'who', text('name'), ''), size: size(7) };
    const source = { args: ['--name=anna'], env: { SIZE: '8' } };
    const { values } = await readSettings(settings, source, { load: async () => undefined });
    expect(values).to.deep.equal({ name: 'anna', size: 8 });
  });

  it('does not count the line feed at the end of a secret, as a file of one line has it', async () => {
    const settings = { url: secret('URL', 'where', text('url'), ''), keys: secret('KEYS', 'who', apiKeys, []) };
    const key = 'k'.repeat(16);
    for (const end of ['', '\n', '\r\n']) {
      const source = { args: [], env: { URL: `mongodb://host/zoo${end}`, KEYS: `anna:${key}${end}` } };
      const { values } = await readSettings(settings, source, { load: async () => undefined });
      expect(values).to.deep.equal({ url: 'mongodb://host/zoo', keys: [{ name: 'anna', key }] });
    }
  });

  it('lists one error for a setting that cannot be read, though loading misses it', async () => {
    const settings = { url: secret('URL', 'where', text('url'), undefined as string | undefined) };
    const load = async ({ url }: { readonly url: string | undefined }): Promise<void> => {
      if (url === undefined) throw new ConfigError(['URL is required', 'STORE cannot be loaded']);
    };
    const error = await rejectionOf(readSettings(settings, { args: [], env: { URL: 'a\nb' } }, { load }));
    expect(error).to.deep.include({ errors: ['URL must not contain control characters', 'STORE cannot be loaded'] });
  });

  it('requires each positional argument that is not given', async () => {
    const options = { positionals: ['FROM', 'TO'], load: async () => undefined };
    const error = await rejectionOf(readSettings({}, { args: ['here'], env: {} }, options));
    expect(error).to.deep.include({ errors: ['TO is required'] });
  });

  it('rejects with the error of what it loads, if that is not a ConfigError', async () => {
    const fault = new Error('a bug');
    const options = {
      load: async () => {
        throw fault;
      },
    };
    expect(await rejectionOf(readSettings({}, { args: [], env: {} }, options))).to.equal(fault);
  });
});
