import { expect } from 'chai';
import { outcomeOf, type RunningCommand } from '../support/command.js';
import { startDatalessMongodb, type DatalessMongodb } from '../support/dataless-mongodb.js';
import { send } from '../support/request.js';
import { until } from '../support/until.js';
import { KEY, startService } from './mongodb-service.js';

describe('animal-store serve on a MongoDB server that refuses', () => {
  let server: DatalessMongodb;
  let service: RunningCommand | undefined;

  beforeEach(async () => {
    server = await startDatalessMongodb();
  });

  afterEach(async () => {
    await service?.stop();
    service = undefined;
    await server.close();
  });

  it('ends with 1 and one line at the start, without a wait', async () => {
    server.refuse();
    for (const args of [
      ['serve', '--store=mongodb', '--port=0'],
      ['keys', 'list', '--store=mongodb'],
    ]) {
      const env = { MONGODB_URL: `mongodb://127.0.0.1:${server.port}/zoo`, API_KEYS: `anna:${KEY}` };
      const { code, stdout, stderr } = await outcomeOf(args, env);
      expect({ code, stdout }).to.deep.equal({ code: 1, stdout: '' });
      expect(stderr).to.equal('animal-store: not authorized on zoo to execute the command\n');
    }
  });

  it('asks the server once for any number of questions whether it is ready', async () => {
    const { url } = (service = await startService(`mongodb://127.0.0.1:${server.port}/zoo`));
    const before = server.pings;
    const ready = new URL('/readyz', url).href;
    const answers = await Promise.all(Array.from({ length: 50 }, async () => send(ready)));
    expect(answers.map(({ status }) => status)).to.deep.equal(answers.map(() => 200));
    expect(server.pings - before).to.be.within(1, 3);
  });

  it('logs an operation that fails in the background, with its name', async () => {
    const running = (service = await startService(`mongodb://127.0.0.1:${server.port}/zoo`));
    server.refuse(undefined, ['findAndModify']);
    const { status } = await send(`${running.url}/pets`, { key: KEY, body: '{"name":"Rex","categoryId":7}' });
    expect(status).to.equal(500);
    const record = await running.find(() => /^.*an operation on MongoDB failed.*\n/m.exec(running.stderr)?.[0]);
    expect(JSON.parse(record)).to.deep.include({ level: 40, operation: 'ids.reserve' });
    expect(record).to.include('not authorized on zoo');
  });

  it('is alive but not ready, and says why only in its log', async () => {
    const running = (service = await startService(`mongodb://127.0.0.1:${server.port}/zoo`));
    const { url } = running;
    const get = async (path: string) => send(new URL(path, url), { key: KEY });
    expect((await get('/readyz')).status).to.equal(200);
    server.refuse();
    await until(async () => (await get('/readyz')).status !== 200);
    expect(await get('/readyz')).to.include({ status: 503, text: '{"status":"not ready"}' });
    expect((await get('/livez')).status).to.equal(200);
    await running.find(() => running.stderr.includes('not authorized on zoo') || undefined);
    const { status, text } = await get('/v1/pets');
    expect(status).to.equal(500);
    await running.find(() => /"stack":"MongoServerError: [^"]*\\n +at /.exec(running.stderr) ?? undefined);
    expect(text).to.include('internal_error').and.not.to.include('authorized on');
  });
});
