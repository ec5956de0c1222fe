import { expect } from 'chai';
import type { Environment } from '../../support/child.js';
import { outcomeOf } from '../../support/command.js';
import { errorsAbout, errorsOf, refusalOf } from '../outcome.js';

const SECRET = 'S3cretS3cretS3cret';
const SHORT = 'S3cretS3cretS3c';
const URL_WITH_SECRET = `mongodb://anna:${SECRET}@127.0.0.1/animals`;
const ON_MONGODB = { API_KEYS: `anna:${SECRET}`, STORE: 'mongodb' };

/** Environments with an error in one variable. */
const ENVIRONMENTS: Readonly<Record<string, readonly Environment[]>> = {
  API_KEYS: [`anna:${SECRET},ben:${SHORT}`, SECRET, `anna:${SECRET},,ben:${SECRET}`].map((API_KEYS) => ({ API_KEYS })),
  MONGODB_URL: [
    ON_MONGODB,
    ...[
      `postgres://anna:${SECRET}@db.example.com/animals`,
      `mongodb://anna:${SECRET}@db.example.com:99999/animals`,
    ].map((MONGODB_URL) => ({ ...ON_MONGODB, MONGODB_URL })),
  ],
  BASE_URL: [{ BASE_URL: `https://anna:${SECRET}@api.example.com/v1` }],
};

describe('animal-store serve with an error in a secret', () => {
  for (const [variable, environments] of Object.entries(ENVIRONMENTS)) {
    it(`names ${variable}, and repeats nothing of it`, async () => {
      for (const env of environments) {
        // With another error, so that a value that is accepted starts nothing.
        const { errors, message } = await refusalOf(['serve', '-x'], env);
        expect(errorsAbout(variable, errors), env[variable]).to.have.lengthOf(1);
        expect(errors, env[variable]).to.have.lengthOf(2);
        expect(message).not.to.include('S3cret');
      }
    });
  }

  it('accepts no secret from a flag, and repeats none', async () => {
    const flags = [`--api-keys=anna:${SECRET}`, `--mongodb-url=${URL_WITH_SECRET}`];
    const outcome = await outcomeOf(['serve', '--port=0', ...flags]);
    expect(outcome).to.include({ code: 2, stdout: '' });
    for (const name of ['--api-keys', '--mongodb-url']) {
      expect(errorsAbout(name, errorsOf(outcome)), name).to.have.lengthOf(1);
    }
    expect(outcome.stderr).to.not.include('S3cret');
  });

  it('repeats neither a misplaced word nor what follows an unknown flag, which may be secrets', async () => {
    const commands = [['serve', URL_WITH_SECRET], [URL_WITH_SECRET], ['keys', URL_WITH_SECRET]];
    for (const args of [...commands, ['serve', '--port=0', '--api-keys', `anna:${SECRET}`]]) {
      expect((await refusalOf(args)).message).to.not.include('S3cret');
    }
  });
});
