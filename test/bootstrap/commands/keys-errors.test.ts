import { expect } from 'chai';
import type { Environment } from '../../support/child.js';
import { keys } from '../../service/mongodb-service.js';
import { useMongodb } from '../../support/use-mongodb.js';
import { errorsAbout, linesOf, refusalOf } from '../outcome.js';

const GOOD = { STORE: 'mongodb', MONGODB_URL: 'mongodb://anna:S3cret@127.0.0.1:1/zoo' };
const ACTIONS = { create: ['--name', 'anna'], list: [], rotate: ['some-id'], revoke: ['some-id'] };

/** Arguments of `animal-store keys` that are refused, and what each error begins with. */
const ERRORS: Readonly<Record<string, readonly [args: readonly string[], errors: readonly string[]]>> = {
  'no action': [[], ['missing subcommand']],
  'an unknown action': [['drop'], ['keys']],
  'an action that every object has': [['toString'], ['keys']],
  'no name for a key': [['create'], ['--name']],
  'an empty name': [['create', '--name='], ['--name']],
  'a name of two lines': [['create', '--name', 'an\nna'], ['--name']],
  'a name of 257 characters': [['create', '--name', 'x'.repeat(257)], ['--name']],
  'a life without a unit': [['create', '--name=anna', '--expires=90'], ['--expires']],
  'a life of no time': [['create', '--name=anna', '--expires', '0d'], ['--expires']],
  'a life that is over': [['create', '--name=anna', '--expires=-1d'], ['--expires']],
  'a life beyond all dates': [['create', '--name=anna', '--expires=999999999d'], ['--expires']],
  'no ID to rotate': [['rotate'], ['ID']],
  'a bad overlap': [['rotate', 'some-id', '--overlap', '1w'], ['--overlap']],
  'no ID to revoke': [['revoke'], ['ID']],
  'a left-over word': [['revoke', 'some-id', 'surplus'], ['1 argument']],
  'a switch with a value': [['list', '--json=yes'], ['--json']],
  'a flag of another action': [['list', '--name=anna'], ['--name']],
  'a port to listen on': [['list', '--port', '0'], ['--port']],
  'everything at once': [
    ['create', 'surplus', '--expires=soon', '--overlap=1h', '--store', 'mongodb'],
    ['--name', '--expires', '--overlap', '1 argument'],
  ],
};

/** Environments in which no key can be managed, and the invalid variable. */
const ENVIRONMENTS: Readonly<Record<string, readonly [env: Environment, errors: readonly string[]]>> = {
  'neither store nor URL': [{}, ['--store, STORE or MONGODB_URL']],
  'the store in memory': [{ ...GOOD, STORE: 'memory' }, ['STORE']],
  'no MONGODB_URL': [{ STORE: 'mongodb' }, ['MONGODB_URL']],
  'an empty MONGODB_URL': [{ STORE: 'mongodb', MONGODB_URL: '' }, ['MONGODB_URL']],
  'a malformed MONGODB_URL alone': [{ MONGODB_URL: 'http://anna:S3cret@zoo/' }, ['MONGODB_URL']],
  'a malformed MONGODB_URL': [{ STORE: 'mongodb', MONGODB_URL: 'http://anna:S3cret@zoo/' }, ['MONGODB_URL']],
};

describe('animal-store keys with an error', function () {
  this.timeout(180_000);

  /** Checks that a run lists exactly these errors, and tells no secret. */
  const verifyFaults = async (args: readonly string[], env: Environment, names: readonly string[]): Promise<void> => {
    const { errors, message } = await refusalOf(['keys', ...args], env);
    expect(errors).to.have.lengthOf(names.length);
    for (const name of names) expect(errorsAbout(name, errors), name).to.have.lengthOf(1);
    expect(message)
      .to.not.include('S3cret')
      .and.not.to.match(/mongodb:\/\/\w|^\s+at /m);
  };

  for (const [what, [args, names]] of Object.entries(ERRORS)) {
    it(`lists it: ${what}`, async () => verifyFaults(args, GOOD, names));
  }

  for (const [what, [env, names]] of Object.entries(ENVIRONMENTS)) {
    it(`lists it with every subcommand: ${what}`, async () => {
      await Promise.all(
        Object.entries(ACTIONS).map(async ([action, args]) => verifyFaults([action, ...args], env, names)),
      );
    });
  }

  it('lists the errors of words, flags and environment together', async () => {
    const env = { STORE: 'memory', MONGODB_URL: 'mongodb://anna:S3cret@' };
    await verifyFaults(['rotate', '--overlap=soon', '--name=x'], env, [
      'ID',
      '--overlap',
      '--name',
      'STORE',
      'MONGODB_URL',
    ]);
  });

  describe('that only the store can tell', () => {
    const mongodb = useMongodb();

    it('ends with 1 and one line for an id that no key has', async () => {
      const url = mongodb.createDatabaseUrl();
      for (const action of ['rotate', 'revoke']) {
        const { code, stdout, stderr } = await keys(url, action, 'nobody');
        expect({ code, stdout }).to.deep.equal({ code: 1, stdout: '' });
        expect(linesOf(stderr)).to.have.lengthOf(1);
        expect(stderr).to.match(/^animal-store: no API key .*has this id\n$/);
      }
    });
  });
});
