import { expect } from 'chai';
import type { Environment } from '../support/child.js';
import { endWithTest } from '../support/cleanup.js';
import { startCommand, type RunningCommand } from '../support/command.js';
import { KEY } from '../support/in-memory-interface.js';
import { onConnection, RawConnection } from '../support/raw-connection.js';
import { send } from '../support/request.js';

const HEAD = `Host: x\r\nAuthorization: Bearer ${KEY}\r\n`;

describe('a client that breaks off, floods the server, or never reads', function () {
  this.timeout(180_000);
  let command: RunningCommand;

  const start = async (env: Environment = {}): Promise<void> => {
    command = await startCommand(['--log-level', 'silent'], { API_KEYS: `me:${KEY}`, ...env });
  };

  const open = async (): Promise<RawConnection> => RawConnection.open(command.port);

  const livez = async (): Promise<number> => (await send(command.url.replace('/v1', '/livez'))).status;

  describe('while the service runs', () => {
    before(() => start());
    after(async () => command.stop());

    for (const [what, head] of Object.entries({
      'a bad Host': 'Host: a b\r\nContent-Length: 5000000\r\n\r\n',
      'no Host': 'Content-Length: 5000000\r\n\r\n',
      'a bad transfer coding': 'Host: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n',
      'a bad chunk': `${HEAD}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
    })) {
      it(`gets its 400 for ${what} while it sends 5 MB`, async () => {
        const bytes = `POST /v1/pets HTTP/1.1\r\n${head}${'x'.repeat(5_000_000)}`;
        const { status, isLast, json } = await onConnection(command.port, async (each) => each.ask(bytes));
        expect({ status, isLast }).to.deep.equal({ status: 400, isLast: true });
        expect(json).to.include({ code: 'bad_request', status: 400 });
      });
    }
  });

  it('does not hold up a shutdown by a body that drips in after its 401', async () => {
    await start();
    const connection = await open();
    connection.send('POST /v1/pets HTTP/1.1\r\nHost: x\r\nContent-Length: 9000\r\n\r\n');
    const drip = setInterval(() => connection.send('x'), 50);
    endWithTest(() => clearInterval(drip));
    expect((await connection.receive()).status).to.equal(401);
    command.kill('SIGTERM');
    expect(await command.exited).to.deep.equal({ code: 0, signal: null });
  });

  it('costs a bounded amount of memory if it pipelines lists and reads none of them', async () => {
    await start({ NODE_OPTIONS: '--max-old-space-size=64' });
    const creation = { key: KEY, body: JSON.stringify({ name: '😀'.repeat(1024), categoryId: 1 }) };
    for (let i = 0; i < 100; i++) expect((await send(`${command.url}/pets`, creation)).status).to.equal(201);
    // More pages in turn than the interface caches the texts of, so that each answer has its own text.
    const lists = Array.from({ length: 760 }, (_, i) => `GET /v1/pets?limit=${60 + (i % 40)} HTTP/1.1\r\n${HEAD}\r\n`);
    const silent = await Promise.all([open(), open(), open()]);
    for (const connection of silent) {
      connection.stopReading();
      connection.send(lists.join(''));
    }
    for (let i = 0; i < 200; i++) expect(await livez()).to.equal(200);
    for (const connection of silent) connection.destroy();
    expect(await command.stop()).to.deep.equal({ code: 0, signal: null });
  });
});
