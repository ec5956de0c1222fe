import { expect } from 'chai';
import { ConfigError, loadServerConfig } from '../../../src/bootstrap/index.js';
import { rejectionOf } from '../../support/rejection-of.js';

/** What `loadServerConfig` says of arguments that it refuses. */
const REFUSED: readonly (readonly [args: readonly string[], ...errors: readonly string[]])[] = [
  [['surplus'], '1 argument too many'],
  [['--port=1', 'more', '--no-migrate', 'words'], '2 arguments too many'],
  [['--', '--port', '1'], '2 arguments too many'],
  [['--host'], '--host must have a value'],
  [['--host', '--port', '1'], '--host must have a value', '1 argument too many'],
  [['--no-migrate=yes'], '--no-migrate takes no value'],
  [['--colour', 'blue'], '--colour is not a flag of this command'],
  [['--colour=blue', 'surplus'], '--colour is not a flag of this command', '1 argument too many'],
  [['--prot=1'], '--prot is not a flag of this command: did you mean --port?'],
  [['--Store=x'], '--Store is not a flag of this command: did you mean --store?'],
  [['--hlep'], '--hlep is not a flag of this command: did you mean --help?'],
  [['--api-keys=a'], '--api-keys is not a flag of this command: set API_KEYS in the environment'],
  [['-xyz'], '-x is not a flag of this command'],
];

describe('loadServerConfig', () => {
  it('reads flags, then variables that are not empty, then the defaults', async () => {
    const flags = ['--port=8080', '--rate-limit=100/m', '--no-migrate', '--body-limit', '1MiB'];
    const env = { HOST: '::1', PORT: '1', API_KEYS: 'anna:a-key-of-more-than-16', SHUTDOWN_TIMEOUT: '' };
    expect(await loadServerConfig(flags, env), 'a new setting and its default belong in this test').to.deep.equal({
      host: '::1',
      port: 8080,
      store: 'memory',
      mongodbUrl: undefined,
      mongodbDeadline: 5000,
      sqliteFile: 'animal-store.db',
      noMigrate: true,
      apiKeys: [{ name: 'anna', key: 'a-key-of-more-than-16' }],
      baseUrl: undefined,
      stagingBaseUrl: undefined,
      bodyLimit: 2 ** 20,
      corsOrigins: [],
      trustProxy: [],
      rateLimit: { requests: 100, perMs: 60_000 },
      maxConnections: 10_000,
      maxInFlight: 1000,
      maxUnsent: 64 * 2 ** 20,
      metricsPort: undefined,
      logLevel: 'info',
      shutdownTimeout: 10_000,
      keepAliveTimeout: 65_000,
      animals: undefined,
    });
  });

  it('accepts a value that begins with dashes only after an equals sign', async () => {
    expect(await loadServerConfig(['--host=--a', '--store', 'b--'], {})).to.include({ host: '--a', store: 'b--' });
  });

  for (const [args, ...errors] of REFUSED) {
    it(`rejects ${args.join(' ')}`, async () => {
      expect(await rejectionOf(loadServerConfig(args, {}))).to.deep.include({ errors });
    });
  }

  it('rejects with every error of the flags and the variables, and counts them', async () => {
    const error = (await rejectionOf(loadServerConfig(['--port=x', 'surplus'], { LOG_LEVEL: 'loud' }))) as ConfigError;
    expect(error).to.be.instanceOf(ConfigError).with.property('name', 'ConfigError');
    expect(error.errors).to.deep.equal([
      '1 argument too many',
      '--port must be an integer from 0 to 65535',
      'LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent',
    ]);
    expect(error.message).to.equal(`invalid configuration (3 errors):\n  ${error.errors.join('\n  ')}`);
    expect(new ConfigError(['x']).message).to.equal('invalid configuration (1 error):\n  x');
  });
});
