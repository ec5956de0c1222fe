import { startDatalessMongodb } from '../../support/dataless-mongodb.js';
import { verifyComplaint, verifyRefusedUrls } from './complaints.js';

describe('animal-store on a MongoDB server', () => {
  const envOf = (MONGODB_URL: string) => ({ MONGODB_URL, MONGODB_DEADLINE: '1s' });

  it('that does not answer ends with 1 and one line', async () => {
    await verifyComplaint(
      'mongodb',
      envOf('mongodb://anna:S3cret@127.0.0.1:1/zoo'),
      /^animal-store: MongoDB at 127\.0\.0\.1:1: .*ECONNREFUSED/,
    );
  });

  it('that refuses ends with 1 and one line', async () => {
    const server = await startDatalessMongodb();
    server.refuse();
    const env = envOf(`mongodb://127.0.0.1:${server.port}/zoo`);
    await verifyComplaint('mongodb', env, /^animal-store: .*not authorized on zoo/);
  });

  it('whose URL is malformed is refused before anything is opened, without the secret', async () => {
    await verifyRefusedUrls('mongodb', 'MONGODB_URL', [
      'postgres://anna:S3cret@db/zoo',
      'mongodb://anna:S3cret@db:99999/zoo',
      'mongodb://S3cret@',
      'mongodb://anna:S3cret@db/my.db',
    ]);
  });
});
