import { expect } from 'chai';
import type { Answer } from '../support/answer.js';
import type { Environment } from '../support/child.js';
import { endWithTest } from '../support/cleanup.js';
import { startCommand, type RunningCommand } from '../support/command.js';
import { KEY } from '../support/in-memory-interface.js';
import { onConnection, RawConnection } from '../support/raw-connection.js';
import { BUNDLE_PATH } from '../support/reference-files.js';
import { send } from '../support/request.js';

const HEAD = `Host: x\r\nAuthorization: Bearer ${KEY}\r\n`;

describe('a client that breaks off, floods the server, or never reads', function () {
  this.timeout(180_000);
  let command: RunningCommand;

  const start = async (env: Environment = {}): Promise<void> => {
    command = await startCommand(['--log-level', 'silent'], { API_KEYS: `me:${KEY}`, ...env });
  };

  const open = async (): Promise<RawConnection> => RawConnection.open(command.port);

  /** The first answer to these bytes. */
  const firstAnswerTo = async (bytes: string): Promise<Answer> =>
    onConnection(command.port, async (connection) => connection.ask(bytes));

  function expectRefused({ status, isLast, json }: Answer): void {
    expect({ status, isLast }).to.deep.equal({ status: 400, isLast: true });
    expect(json).to.include({ code: 'bad_request', status: 400 });
  }

  const livez = async (): Promise<number> => (await send(command.url.replace('/v1', '/livez'))).status;

  describe('while the service runs', () => {
    before(() => start());
    after(async () => command.stop());

    for (const [what, head] of Object.entries({
      'a bad Host': 'Host: a b\r\n',
      'no Host': '',
      'a bad transfer coding': 'Host: x\r\nTransfer-Encoding: gzip, chunked\r\n',
    })) {
      it(`gets its 400 for ${what} while it sends 5 MB`, async () => {
        const length = what.includes('coding') ? '' : 'Content-Length: 5000000\r\n';
        expectRefused(await firstAnswerTo(`POST /v1/pets HTTP/1.1\r\n${head}${length}\r\n${'x'.repeat(5_000_000)}`));
      });
    }

    it('gets its 400 for a bad chunk while it sends 5 MB', async () => {
      const head = `POST /v1/pets HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
      expectRefused(await firstAnswerTo(`${head}zz\r\n${'x'.repeat(5_000_000)}`));
    });

    it('cannot get a request run that follows a refused one', async () => {
      const body = '{"name":"Rex","categoryId":7}';
      const create = `POST /v1/pets HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
      const connection = await open();
      expectRefused(await connection.ask(`GET /livez HTTP/1.1\r\nHost: a b\r\n\r\n${create}`));
      expect(await connection.finished()).to.equal('');
      expect((await send(`${command.url}/pets`, { key: KEY })).json).to.deep.equal([]);
    });
  });

  describe('while the service shuts down', () => {
    beforeEach(() => start());

    it('does not delay a shutdown by the body that it still owes after its 401', async () => {
      const connection = await open();
      await connection.ask('POST /v1/pets HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n1');
      command.kill('SIGTERM');
      expect(await command.exited).to.deep.equal({ code: 0, signal: null });
    });

    for (const [what, { head, piece, isAnswered }] of Object.entries({
      'a body that drips in after its 401': {
        head: 'POST /v1/pets HTTP/1.1\r\nHost: x\r\nContent-Length: 9000\r\n\r\n',
        piece: 'x',
        isAnswered: true,
      },
      'a header section that drips in': { head: 'GET /v1/pets HTTP/1.1\r\n', piece: 'a:b\r\n', isAnswered: false },
    })) {
      it(`does not hold up a shutdown by ${what}`, async () => {
        const connection = await open();
        connection.send(head);
        const drip = setInterval(() => connection.send(piece), 50);
        endWithTest(() => clearInterval(drip));
        if (isAnswered) await connection.receive();
        expect(await livez()).to.equal(200);
        command.kill('SIGTERM');
        expect(await command.exited).to.deep.equal({ code: 0, signal: null });
      });
    }

    it('does not hold up a shutdown by answers that it does not read', async () => {
      const connection = await open();
      connection.stopReading();
      connection.send(`GET ${BUNDLE_PATH} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(10));
      await livez();
      command.kill('SIGTERM');
      expect(await command.exited).to.deep.equal({ code: 0, signal: null });
    });
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
