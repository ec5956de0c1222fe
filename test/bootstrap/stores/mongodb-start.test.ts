import { expect } from 'chai';
import { KEY } from '../../service/serve-on.js';
import { outcomeOf } from '../../support/command.js';
import { startDatalessMongodb } from '../../support/dataless-mongodb.js';
import { linesOf, refusalOf } from '../outcome.js';

const SERVE = ['serve', '--store=mongodb', '--port=0', '--log-level=trace'];

describe('animal-store on a MongoDB server', () => {
  const commands = [SERVE, ['keys', 'list', '--store=mongodb'], ['export', '--store=mongodb']];

  /** Runs each command that needs the server, and expects it to end with 1 and one line, which tells no secret. */
  async function verifyComplaint(MONGODB_URL: string, complaint: RegExp): Promise<void> {
    for (const args of commands) {
      const env = { MONGODB_URL, API_KEYS: `anna:${KEY}`, MONGODB_DEADLINE: '1s' };
      const { code, stdout, stderr } = await outcomeOf(args, env);
      expect({ code, stdout }, args[0]).to.deep.equal({ code: 1, stdout: '' });
      expect(linesOf(stderr), args[0]).to.have.lengthOf(1);
      expect(stderr, args[0]).to.match(complaint).and.to.not.include('S3cret');
    }
  }

  it('that does not answer ends with 1 and one line', async () => {
    await verifyComplaint(
      'mongodb://anna:S3cret@127.0.0.1:1/zoo',
      /^animal-store: MongoDB at 127\.0\.0\.1:1: .*ECONNREFUSED/,
    );
  });

  it('that refuses ends with 1 and one line', async () => {
    const server = await startDatalessMongodb();
    server.refuse();
    await verifyComplaint(`mongodb://127.0.0.1:${server.port}/zoo`, /^animal-store: .*not authorized on zoo/);
  });

  it('whose URL is malformed is refused before anything is opened, without the secret', async () => {
    for (const MONGODB_URL of [
      'postgres://anna:S3cret@db/zoo',
      'mongodb://anna:S3cret@db:99999/zoo',
      'mongodb://S3cret@',
      'mongodb://anna:S3cret@db/my.db',
    ]) {
      const message = await refusalOf(SERVE, { MONGODB_URL, API_KEYS: `anna:${KEY}` });
      expect(message)
        .to.match(/^MONGODB_URL is invalid: /)
        .and.to.not.include('S3cret');
    }
  });
});
