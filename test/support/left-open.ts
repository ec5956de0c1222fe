import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createHttpServer } from '../../src/adapters/http/server/http-server.js';
import { Child } from './child.js';
import { startDatalessMongodb } from './dataless-mongodb.js';
import { listenOnFreePort } from './listen-on-free-port.js';
import { Load } from './load.js';
import { RawConnection } from './raw-connection.js';
import { startCommand } from './command.js';
import { makeTemporaryFolder } from './temporary-folder.js';
import { startTcpProxy } from './tcp-proxy.js';
import { until } from './until.js';

const FOREVER = ['-e', 'console.log(process.pid); process.on("SIGTERM", () => {}); for (;;);'];

/**
 * Everything that a helper of the tests starts, each in a test that then fails without ending it. Mocha ends by itself only
 * if nothing of it is left, and the tests print the ids of the processes that they started, and the folder that they made. Run
 * by left-open.test.ts.
 */
describe('a test that fails', function () {
  this.timeout(30_000);

  afterEach(() => {
    throw new Error('the hook of the test fails, too');
  });

  it('leaves a process', async () => {
    const child = Child.start(process.execPath, FOREVER);
    await child.find(() => child.stdout || undefined);
    console.log(`process ${child.pid}`);
    throw new Error('on purpose');
  });
});

describe('another test that fails', function () {
  this.timeout(30_000);

  it('leaves a group of processes', async () => {
    const child = Child.start('sh', ['-c', `${process.execPath} -e 'console.log(process.pid); for (;;);'; true`], {
      isGroup: true,
    });
    const pid = await child.find(() => /^\d+\n/.exec(child.stdout)?.[0]);
    console.log(`process ${child.pid}\nprocess ${pid}`);
    throw new Error('on purpose');
  });

  it('leaves a server, a connection to it, and a load on it', async () => {
    const server = await startCommand();
    const connection = await RawConnection.open(server.port);
    const load = new Load([asking(connection)]);
    await load.next('answered', 10);
    console.log(`process ${server.pid}`);
    throw new Error('on purpose');
  });

  it('leaves servers of every kind, with connections to them', async () => {
    const ports = await Promise.all([createServer(), createHttpServer(() => undefined)].map(listenOnFreePort));
    const { port } = await startDatalessMongodb();
    for (const each of [...ports, (await startTcpProxy(port)).port]) {
      (await RawConnection.open(each)).send('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(2));
    }
    throw new Error('on purpose');
  });

  it('leaves a folder with a file', async () => {
    const folder = makeTemporaryFolder();
    await writeFile(join(folder, 'file'), '');
    console.log(`folder ${folder}`);
    throw new Error('on purpose');
  });

  it('takes too long, with a process and a load, and waits for what never comes', async function () {
    this.timeout(300);
    const child = Child.start(process.execPath, FOREVER);
    console.log(`process ${child.pid}`);
    void new Load([spinning()]);
    await until(() => false);
  });
});

async function* asking(connection: RawConnection): AsyncGenerator {
  for (;;) {
    await connection.ask('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n');
    yield 'answered';
  }
}

async function* spinning(): AsyncGenerator {
  for (;;) yield 'answered';
}
