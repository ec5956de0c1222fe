import { expect } from 'chai';
import { outcomeOf, type Outcome } from '../support/command.js';
import { startDatalessMongodb } from '../support/dataless-mongodb.js';
import { useMongodb } from '../support/use-mongodb.js';
import { KEY, startService } from './mongodb-service.js';

describe('animal-store migrate', function () {
  this.timeout(120_000);
  const mongodb = useMongodb();

  const migrate = async (url: string, ...flags: string[]): Promise<Outcome> =>
    outcomeOf(['migrate', ...flags], { MONGODB_URL: url });

  it('tells with --dry-run what it would do, then does it, then finds nothing to change', async () => {
    const url = mongodb.createDatabaseUrl();
    const indexes = [
      'create the index pets { status: 1, _id: 1 }',
      'create the index creations { at: 1 }, which expires documents after 90000 s',
      'create the index apiKeys { digest: 1 }, unique',
    ];
    const planned = await migrate(url, '--dry-run');
    expect(planned).to.include({ code: 0, stdout: indexes.map((index) => `would ${index}\n`).join('') });
    const done = await migrate(url);
    expect(done).to.include({ code: 0, stdout: indexes.map((index) => `done: ${index}\n`).join('') });
    expect(await migrate(url)).to.include({ code: 0, stdout: 'nothing to change\n' });
  });

  it('tells with --validate and --dry-run which validators it would set', async () => {
    const url = mongodb.createDatabaseUrl();
    await migrate(url);
    const validators = ['pets', 'creations', 'counters', 'apiKeys'].map(
      (name) => `would set the validator of ${name}\n`,
    );
    expect(await migrate(url, '--validate', '--dry-run')).to.include({ code: 0, stdout: validators.join('') });
  });

  it('tells with --shard and --dry-run that it would shard the animals, on a sharded cluster', async () => {
    const server = await startDatalessMongodb();
    server.shard({});
    const { code, stdout } = await migrate(`mongodb://127.0.0.1:${server.port}/zoo`, '--shard', '--dry-run');
    expect(code).to.equal(0);
    expect(stdout.split('\n')[0]).to.equal("would shard pets by { _id: 'hashed' }");
  });

  it('shards the animals with --shard, and no other collection', async () => {
    const server = await startDatalessMongodb();
    server.shard({});
    const { code, stdout } = await migrate(`mongodb://127.0.0.1:${server.port}/zoo`, '--shard');
    expect(code).to.equal(0);
    expect(stdout.split('\n').filter((line) => line.includes('shard'))).to.deep.equal([
      "done: shard pets by { _id: 'hashed' }",
    ]);
    expect(server.sharded).to.deep.equal(['zoo.pets']);
  });

  it('says with --dry-run alone nothing of shards, on a sharded cluster', async () => {
    const server = await startDatalessMongodb();
    server.shard({});
    const { code, stdout } = await migrate(`mongodb://127.0.0.1:${server.port}/zoo`, '--dry-run');
    expect(code).to.equal(0);
    expect(stdout).to.include('would create the index pets').and.not.to.include('shard');
  });

  it('ends with 1 and the reason if the user may not shard', async () => {
    const server = await startDatalessMongodb();
    server.shard({});
    server.refuse(undefined, ['enableSharding']);
    const { code, stdout, stderr } = await migrate(`mongodb://127.0.0.1:${server.port}/zoo`, '--shard');
    expect([code, stdout]).to.deep.equal([1, '']);
    expect(stderr).to.include('not authorized');
  });

  it('ends with 2 if the server of --shard is no mongos', async () => {
    const { code, stderr } = await migrate(mongodb.createDatabaseUrl(), '--shard');
    expect(code).to.equal(2);
    expect(stderr).to.include('pets can be sharded only if the server is a mongos');
  });

  it('ends with 2, as serve does, if the animals and the reservations have shard keys that let ids repeat', async () => {
    const server = await startDatalessMongodb();
    server.shard({ 'zoo.pets': { name: 1 }, 'zoo.creations': { at: 1 } });
    const env = { MONGODB_URL: `mongodb://127.0.0.1:${server.port}/zoo`, API_KEYS: `anna:${KEY}` };
    for (const args of [
      ['migrate'],
      ['serve', '--store=mongodb', '--port=0'],
      ['serve', '--store=mongodb', '--no-migrate'],
    ]) {
      const { code, stderr } = await outcomeOf(args, env);
      expect(code, args.join(' ')).to.equal(2);
      expect(stderr, args.join(' ')).to.include('pets is sharded by {"name":1}');
      expect(stderr, args.join(' ')).to.include('creations is sharded by {"at":1}');
    }
  });

  it('needs a URL', async () => {
    const { code, stderr } = await outcomeOf(['migrate'], {});
    expect(code).to.equal(2);
    expect(stderr).to.include('MONGODB_URL is required');
  });

  it('lets serve start with --no-migrate, which names each missing index before', async () => {
    const url = mongodb.createDatabaseUrl();
    const args = ['serve', '--store=mongodb', '--port=0', '--no-migrate'];
    const { code, stderr } = await outcomeOf(args, { MONGODB_URL: url, API_KEYS: `anna:${KEY}` });
    expect(code).to.equal(2);
    expect(stderr).to.include(
      'the database lacks the index pets { status: 1, _id: 1 }: make it with animal-store migrate',
    );
    expect(stderr).to.include('the database lacks the index apiKeys { digest: 1 }, unique');
    await migrate(url);
    const service = await startService(url, ['--no-migrate', '--mongodb-deadline=7s']);
    expect((await service.stop()).code).to.equal(0);
  });

  for (const name of ['my.db', 'a%20b']) {
    it(`ends with 2 and names MONGODB_URL if the URL's database is ${name}`, async () => {
      const { code, stderr } = await migrate(`mongodb://127.0.0.1:1/${name}`);
      expect(code).to.equal(2);
      expect(stderr).to.include('MONGODB_URL must name a database of at most 63 bytes');
    });
  }
});
