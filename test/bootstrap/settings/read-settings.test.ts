import { expect } from 'chai';
import { readSettings } from '../../../src/bootstrap/settings/read-settings.js';
import { ConfigError } from '../../../src/bootstrap/settings/config-error.js';
import { secret } from '../../../src/bootstrap/settings/setting.js';
import { apiKeys, text } from '../../../src/bootstrap/settings/value-types.js';
import { rejectionOf } from '../../support/rejection-of.js';

describe('readSettings', () => {
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
