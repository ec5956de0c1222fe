import { expect } from 'chai';
import type { Environment } from '../../support/child.js';
import { errorsAbout, refusalOf } from '../outcome.js';

const GOOD = { STORE: 'mongodb', MONGODB_URL: 'mongodb://anna:S3cret@127.0.0.1:1/zoo' };
const ACTIONS = { create: ['--name', 'anna'], list: [], rotate: ['some-id'], revoke: ['some-id'] };

/** Arguments of `animal-store keys` that are refused, and what each error begins with. Other tests try the types of values. */
const ERRORS: readonly (readonly [args: readonly string[], ...errors: string[]])[] = [
  [['create'], '--name'],
  [['create', '--name=anna', '--expires=90'], '--expires'],
  [['rotate'], 'ID'],
  [['rotate', 'some-id', '--overlap', '1w'], '--overlap'],
  [['revoke'], 'ID'],
  [['revoke', 'some-id', 'surplus'], '1 argument'],
  [['list', '--name=anna'], '--name'],
  [['list', '--port', '0'], '--port'],
  [['create', 'surplus', '--expires=soon', '--overlap=1h'], '--name', '--expires', '--overlap', '1 argument'],
];

/** Environments in which no key can be managed, and the invalid variable. */
const ENVIRONMENTS: readonly (readonly [env: Environment, error: string])[] = [
  [{}, '--store, STORE or MONGODB_URL'],
  [{ ...GOOD, STORE: 'memory' }, 'STORE'],
  [{ STORE: 'mongodb' }, 'MONGODB_URL'],
  [{ MONGODB_URL: 'http://anna:S3cret@zoo/' }, 'MONGODB_URL'],
];

describe('animal-store keys with an error', function () {
  this.timeout(180_000);

  /** Checks that a run lists exactly these errors, and tells no secret. */
  const verifyFaults = async (args: readonly string[], env: Environment, names: readonly string[]): Promise<void> => {
    const { errors, message } = await refusalOf(['keys', ...args], env);
    expect(errors).to.have.lengthOf(names.length);
    for (const name of names) expect(errorsAbout(name, errors), name).to.have.lengthOf(1);
    expect(message).to.not.include('S3cret');
  };

  for (const [args, ...names] of ERRORS) {
    it(`lists it: ${args.join(' ')}`, async () => verifyFaults(args, GOOD, names));
  }

  for (const [env, error] of ENVIRONMENTS) {
    it(`lists it with every subcommand: ${JSON.stringify(env)}`, async () => {
      for (const [action, args] of Object.entries(ACTIONS)) await verifyFaults([action, ...args], env, [error]);
    });
  }

  it('lists the errors of words, flags and environment together', async () => {
    const env = { STORE: 'memory', MONGODB_URL: 'mongodb://anna:S3cret@' };
    const names = ['ID', '--overlap', '--name', 'STORE', 'MONGODB_URL'];
    await verifyFaults(['rotate', '--overlap=soon', '--name=x'], env, names);
  });
});
