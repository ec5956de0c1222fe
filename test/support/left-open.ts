import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createHttpServer } from '../../src/adapters/http/server/http-server.js';
import { Child } from './child.js';
import { listenOnFreePort } from './listen-on-free-port.js';
import { Load } from './load.js';
import { RawConnection } from './raw-connection.js';
import { startTcpProxy } from './tcp-proxy.js';
import { makeTemporaryFolder } from './temporary-folder.js';
import { until } from './until.js';

const FOREVER = 'console.log(process.pid); process.on("SIGTERM", () => {}); for (;;);';

/**
 * What the helpers of the tests start, in tests that then fail without ending it. Mocha ends by itself only if nothing of it is
 * left, and the tests print the ids of the processes that they started, and the folder that they made. Run by left-open.test.ts.
 */
describe('a test that fails', function () {
  this.timeout(30_000);

  afterEach(() => {
    throw new Error('the hook of the test fails, too');
  });

  it('leaves a process, and a group of processes', async () => {
    const child = Child.start(process.execPath, ['-e', FOREVER]);
    const group = Child.start('sh', ['-c', `${process.execPath} -e '${FOREVER}'; true`], { isGroup: true });
    const pids = await Promise.all([child, group].map(async (each) => each.find(() => /\d+/.exec(each.stdout)?.[0])));
    for (const pid of [...pids, group.pid]) console.log(`process ${pid}`);
    throw new Error('on purpose');
  });
});

describe('another test that fails', function () {
  this.timeout(30_000);

  it('leaves servers with connections to them, and a folder', async () => {
    const ports = await Promise.all([createServer(), createHttpServer(() => undefined)].map(listenOnFreePort));
    for (const port of [...ports, (await startTcpProxy(ports[1] ?? 0)).port]) {
      (await RawConnection.open(port)).send('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(2));
    }
    const folder = makeTemporaryFolder();
    await writeFile(join(folder, 'file'), '');
    console.log(`folder ${folder}`);
    throw new Error('on purpose');
  });

  it('takes too long, with a process and a load, and waits for what never comes', async function () {
    this.timeout(300);
    console.log(`process ${Child.start(process.execPath, ['-e', FOREVER]).pid}`);
    void new Load([spinning()]);
    await until(() => false);
  });
});

async function* spinning(): AsyncGenerator {
  for (;;) yield 'answered';
}
