import { expect } from 'chai';
import { createServer } from 'node:net';
import { listening, outcomeOf, runCommand } from '../support/command.js';
import { KEY } from '../service/mongodb-service.js';
import { startDatalessMongodb } from '../support/dataless-mongodb.js';
import { listenOnFreePort } from '../support/listen-on-free-port.js';
import { send } from '../support/request.js';
import { until } from '../support/until.js';
import { usePrivateServer } from '../support/use-mongodb.js';
import { linesOf } from './outcome.js';

const WAIT_MS = 30_000;
const SERVE = ['serve', '--store=mongodb', '--port=0', '--log-level=trace'];

describe('animal-store while no MongoDB server answers', function () {
  this.timeout(180_000);

  it('ends serve and keys with exit code 1 and one line after 30 seconds', async () => {
    const port = await listenOnFreePort(createServer(() => undefined));
    // Nobody listens at the first one; the other one is silent.
    const urls = ['mongodb://anna:S3cret@127.0.0.1:1/zoo', `mongodb://anna:S3cret@127.0.0.1:${port}/zoo`];
    const start = performance.now();
    // Both commands wait in the same way.
    await Promise.all(
      [SERVE, ['keys', 'list']].map(async (args, i) => {
        const what = args[0];
        const command = runCommand(args, { STORE: 'mongodb', MONGODB_URL: urls[i] ?? '', API_KEYS: `anna:${KEY}` });
        const { code } = await command.exited;
        expect(performance.now() - start, what).to.be.at.least(WAIT_MS);
        expect({ code, stdout: command.stdout }, what).to.deep.equal({ code: 1, stdout: '' });
        const complaints = linesOf(command.stderr).filter((line) => !line.startsWith('{'));
        expect(complaints, what).to.have.lengthOf(1);
        expect(complaints[0], what).to.match(/^animal-store: the MongoDB server was not ready within 30 s: \S+/);
        expect(command.stderr, what).to.not.include('S3cret').and.not.to.include('mongodb://');
      }),
    );
  });
});

describe('animal-store on a MongoDB server that refuses', () => {
  it('ends with 1 and one line at the start, without a wait', async () => {
    const server = await startDatalessMongodb();
    server.refuse();
    const env = { MONGODB_URL: `mongodb://127.0.0.1:${server.port}/zoo`, API_KEYS: `anna:${KEY}` };
    for (const args of [SERVE, ['keys', 'list', '--store=mongodb']]) {
      const { code, stdout, stderr } = await outcomeOf(args, env);
      expect({ code, stdout }).to.deep.equal({ code: 1, stdout: '' });
      expect(stderr).to.equal('animal-store: not authorized on zoo to execute the command\n');
    }
  });
});

describe('animal-store on a MongoDB server that shuts down while the command starts', () => {
  const SHUTDOWN_IN_PROGRESS = { code: 91, codeName: 'ShutdownInProgress', errmsg: 'the server is in quiesce mode' };

  it('waits with its check of the indexes, and starts when the server answers again', async () => {
    const server = await startDatalessMongodb();
    server.refuse(SHUTDOWN_IN_PROGRESS, ['listIndexes']);
    const command = runCommand(SERVE, {
      MONGODB_URL: `mongodb://127.0.0.1:${server.port}/zoo`,
      API_KEYS: `anna:${KEY}`,
    });
    const line = /^.*waiting for the MongoDB server.*\n/m;
    const record = await command.find(() => line.exec(command.stderr)?.[0]);
    expect(record).to.include('the server is in quiesce mode');
    server.refuse({}, []);
    await listening(command);
    expect((await command.stop()).code).to.equal(0);
  });

  it('also waits in migrate before it plans changes', async () => {
    const server = await startDatalessMongodb();
    server.refuse(SHUTDOWN_IN_PROGRESS, ['listIndexes']);
    const command = runCommand(['migrate'], { MONGODB_URL: `mongodb://127.0.0.1:${server.port}/zoo` });
    await until(() => server.received('listIndexes') > 4);
    server.refuse({}, []);
    expect((await command.exited).code).to.equal(0);
    expect(command.stdout).to.include('done: create the index pets');
  });
});

describe('animal-store serve --store mongodb before its server', function () {
  this.timeout(180_000);
  const { server } = usePrivateServer();

  it('waits, and starts when the server does', async () => {
    await server().stop();
    const env = { MONGODB_URL: server().url, API_KEYS: `anna:${KEY}` };
    const command = runCommand(SERVE, env);
    await until(() => command.stderr.includes('waiting for the MongoDB server'));
    expect(command.stdout).to.equal('');
    await server().start();
    const { url } = await listening(command);
    expect((await send(`${url}/pets`, { key: KEY, body: '{"name":"Rex","categoryId":7}' })).status).to.equal(201);
    expect((await command.stop()).code).to.equal(0);
  });
});
