import { expect } from 'chai';
import { printedBy, refusalOf } from '../bootstrap/outcome.js';
import { outcomeOf } from '../support/command.js';
import { startDatalessMongodb } from '../support/dataless-mongodb.js';
import { useMongodb } from '../support/use-mongodb.js';
import { KEY, startService } from './mongodb-service.js';

describe('animal-store migrate', function () {
  this.timeout(180_000);
  const mongodb = useMongodb();

  /** What the command prints. */
  const migrate = async (url: string, ...flags: string[]): Promise<string> =>
    printedBy(['migrate', ...flags], { MONGODB_URL: url });

  it('prints with --dry-run what it would do, then does it, then finds nothing to change', async () => {
    const url = mongodb.createDatabaseUrl();
    const indexes = [
      'create the index pets { status: 1, _id: 1 }',
      'create the index creations { at: 1 }, which expires documents after 90000 s',
      'create the index apiKeys { digest: 1 }, unique',
    ];
    expect(await migrate(url, '--dry-run')).to.equal(indexes.map((index) => `would ${index}\n`).join(''));
    expect(await migrate(url)).to.equal(indexes.map((index) => `done: ${index}\n`).join(''));
    expect(await outcomeOf(['migrate'], { MONGODB_URL: url })).to.deep.equal({
      code: 0,
      stdout: 'nothing to change\n',
      stderr: '',
    });
  });

  it('prints with --validate and --dry-run which validators it would set', async () => {
    const url = mongodb.createDatabaseUrl();
    await migrate(url);
    const validators = ['pets', 'creations', 'counters', 'apiKeys'].map(
      (name) => `would set the validator of ${name}\n`,
    );
    expect(await migrate(url, '--validate', '--dry-run')).to.equal(validators.join(''));
  });

  it('is refused, as serve is, if the animals and the reservations have shard keys that let ids repeat', async () => {
    const server = await startDatalessMongodb();
    server.shard({ 'zoo.pets': { name: 1 }, 'zoo.creations': { at: 1 } });
    const env = { MONGODB_URL: `mongodb://127.0.0.1:${server.port}/zoo`, API_KEYS: `anna:${KEY}` };
    for (const command of ['migrate', 'serve --store=mongodb --port=0', 'serve --store=mongodb --no-migrate']) {
      const { message } = await refusalOf(command.split(' '), env);
      expect(message, command).to.include('pets is sharded by {"name":1}');
      expect(message, command).to.include('creations is sharded by {"at":1}');
    }
  });

  it('ends by itself, with 2, after a refusal that needed the server', async () => {
    const server = await startDatalessMongodb();
    server.shard({ 'zoo.pets': { name: 1 } });
    const { code, stdout } = await outcomeOf(['migrate'], { MONGODB_URL: `mongodb://127.0.0.1:${server.port}/zoo` });
    expect({ code, stdout }).to.deep.equal({ code: 2, stdout: '' });
  });

  it('is refused with the name of MONGODB_URL if the URL is missing, or its database has an invalid name', async () => {
    expect((await refusalOf(['migrate'])).errors).to.deep.equal(['MONGODB_URL is required']);
    for (const name of ['my.db', 'a%20b']) {
      const { errors } = await refusalOf(['migrate'], { MONGODB_URL: `mongodb://127.0.0.1:1/${name}` });
      expect(errors).to.have.lengthOf(1);
      expect(errors[0]).to.include('MONGODB_URL must name a database of at most 63 bytes');
    }
  });

  it('lets serve start with --no-migrate, which names each missing index before', async () => {
    const url = mongodb.createDatabaseUrl();
    const args = ['serve', '--store=mongodb', '--port=0', '--no-migrate'];
    const { message } = await refusalOf(args, { MONGODB_URL: url, API_KEYS: `anna:${KEY}` });
    expect(message).to.include('lacks the index pets { status: 1, _id: 1 }: make it with animal-store migrate');
    expect(message).to.include('lacks the index apiKeys { digest: 1 }, unique');
    await migrate(url);
    const service = await startService(url, ['--no-migrate', '--mongodb-deadline=7s']);
    expect((await service.stop()).code).to.equal(0);
  });
});
