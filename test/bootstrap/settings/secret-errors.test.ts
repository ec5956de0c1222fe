import { expect } from 'chai';
import type { Environment } from '../../support/child.js';
import { outcomeOf } from '../../support/command.js';
import { errorsAbout, errorsOf, refusalOf } from '../outcome.js';

const SECRET = 'S3cretS3cretS3cret';
const SHORT = 'S3cretS3cretS3c';

/** Values of API_KEYS that are refused. */
const BAD_KEYS = [
  `anna:${SHORT}`,
  `anna:${SECRET},ben:${SHORT}`,
  `:${SECRET}`,
  SECRET,
  `anna:${SECRET},${SECRET}`,
  `anna:${SECRET},:`,
  'anna:',
  `anna:${SECRET},,ben:${SECRET}`,
];

const GOOD_KEYS = { API_KEYS: `anna:${SECRET}` };

/** Values of MONGODB_URL that are refused. */
const BAD_URLS = [
  `postgres://anna:${SECRET}@db.example.com/animals`,
  `http://anna:${SECRET}@db.example.com/animals`,
  `anna:${SECRET}@db.example.com`,
  'mongodb://',
  `mongodb://anna:${SECRET}@`,
  `mongodb://anna:${SECRET}@db.example.com:99999/animals`,
  `mongodb+srv://anna:${SECRET}@a.example.com,b.example.com/animals`,
];

describe('animal-store serve with an error in a secret', function () {
  this.timeout(180_000);

  for (const keys of BAD_KEYS) {
    it(`refuses API_KEYS=${keys} without repeating a key`, () => verifyRefusal('API_KEYS', { API_KEYS: keys }));
  }

  for (const url of BAD_URLS) {
    it(`refuses MONGODB_URL=${url} without repeating it`, () =>
      verifyRefusal('MONGODB_URL', { ...GOOD_KEYS, STORE: 'mongodb', MONGODB_URL: url }));
  }

  it('needs MONGODB_URL with the store mongodb', () =>
    verifyRefusal('MONGODB_URL', { ...GOOD_KEYS, STORE: 'mongodb' }));

  it('accepts no secret from a flag, and repeats none', async () => {
    const flags = [`--api-keys=anna:${SECRET}`, `--mongodb-url=mongodb://anna:${SECRET}@127.0.0.1/animals`];
    const outcome = await outcomeOf(['serve', '--port=0', ...flags]);
    expect(outcome).to.include({ code: 2, stdout: '' });
    for (const name of ['--api-keys', '--mongodb-url']) {
      expect(errorsAbout(name, errorsOf(outcome)), name).to.have.lengthOf(1);
    }
    expect(outcome.stderr).to.not.include('S3cret');
  });

  for (const args of [
    ['serve', `mongodb://anna:${SECRET}@127.0.0.1/animals`],
    [`mongodb://anna:${SECRET}@127.0.0.1/animals`],
    ['keys', `mongodb://anna:${SECRET}@127.0.0.1/animals`],
  ]) {
    it(`does not repeat a misplaced word, which may be a secret: ${args.length} of them`, async () => {
      expect((await refusalOf(args)).message).to.not.include('S3cret');
    });
  }

  it('does not repeat what follows an unknown flag, which may be a secret', async () => {
    const { errors, message } = await refusalOf(['serve', '--port=0', '--api-keys', `anna:${SECRET}`]);
    expect(errorsAbout('--api-keys', errors)).to.have.lengthOf(1);
    expect(message).to.not.include('S3cret');
  });
});

/** Checks that the refusal names the variable in its only error, and gives away nothing. */
async function verifyRefusal(name: string, env: Environment): Promise<void> {
  const { errors, message } = await refusalOf(['serve', '--port=0'], env);
  expect(errorsAbout(name, errors)).to.have.lengthOf(errors.length).and.not.to.have.lengthOf(0);
  expect(message)
    .to.not.include('S3cret')
    .and.not.to.match(/^\s+at /m);
}
