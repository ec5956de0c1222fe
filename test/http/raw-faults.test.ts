import { expect } from 'chai';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Environment } from '../support/child.js';
import { startCommand, type RunningCommand } from '../support/command.js';

const KEY = 'a-key-of-sixteen.';
const HEAD = `Host: x\r\nAuthorization: Bearer ${KEY}\r\n`;

describe('a client that breaks off, floods, or never reads', function () {
  this.timeout(180_000);
  let command: RunningCommand;

  const start = async (env: Environment = {}): Promise<void> => {
    command = await startCommand(['--log-level', 'silent'], { API_KEYS: `me:${KEY}`, ...env });
  };

  async function open(): Promise<Socket> {
    const socket = connect({ port: command.port, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => socket.destroy());
    await once(socket, 'connect');
    return socket;
  }

  /** Everything that the service sends until it closes the connection. */
  async function answersTo(bytes: string | Buffer): Promise<string> {
    const socket = await open();
    let received = '';
    socket.setEncoding('latin1').on('data', (text: string) => (received += text));
    socket.write(bytes);
    await once(socket, 'end');
    socket.destroy();
    return received;
  }

  const statusesOf = (answers: string): string[] | null => answers.match(/HTTP\/1\.1 [0-9]+/g);
  const livez = async (): Promise<number> => (await fetch(command.url.replace('/v1', '/livez'))).status;

  describe('while the service runs', () => {
    before(() => start());
    after(async () => command.stop());

    it('does not end the service by a reset after CONNECT', async () => {
      const socket = await open();
      socket.write('CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n');
      await once(socket, 'data');
      socket.resetAndDestroy();
      await once(socket, 'close');
      expect(await livez()).to.equal(200);
      expect(await livez()).to.equal(200);
    });

    for (const target of ['a://b', 'x://[/', 'ftp://h/v1/pets', 'mailto://x', 'http:///v1/pets', 'v1/pets']) {
      it(`gets a 400 for the target ${target}`, async () => {
        const answer = await answersTo(`GET ${target} HTTP/1.1\r\n${HEAD}Connection: close\r\n\r\n`);
        expect(statusesOf(answer)).to.deep.equal(['HTTP/1.1 400']);
        expect(answer).to.include('"code":"bad_request"');
      });
    }

    for (const [what, head] of Object.entries({
      'a bad Host': 'Host: a b\r\n',
      'no Host': '',
      'a bad transfer coding': 'Host: x\r\nTransfer-Encoding: gzip, chunked\r\n',
    })) {
      it(`gets its 400 for ${what} while it sends 5 MB`, async () => {
        const length = what.includes('coding') ? '' : 'Content-Length: 5000000\r\n';
        const answer = await answersTo(`POST /v1/pets HTTP/1.1\r\n${head}${length}\r\n${'x'.repeat(5_000_000)}`);
        expect(statusesOf(answer)).to.deep.equal(['HTTP/1.1 400']);
      });
    }

    it('gets its 400 for a bad chunk while it sends 5 MB', async () => {
      const head = `POST /v1/pets HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
      expect(statusesOf(await answersTo(`${head}zz\r\n${'x'.repeat(5_000_000)}`))).to.deep.equal(['HTTP/1.1 400']);
    });

    it('cannot get a request run that follows a refused one', async () => {
      const body = '{"name":"Rex","categoryId":7}';
      const create = `POST /v1/pets HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
      const answer = await answersTo(`GET /livez HTTP/1.1\r\nHost: a b\r\n\r\n${create}`);
      expect(statusesOf(answer)).to.deep.equal(['HTTP/1.1 400']);
      const list = await fetch(`${command.url}/pets`, { headers: { authorization: `Bearer ${KEY}` } });
      expect(await list.json()).to.deep.equal([]);
    });

    it('is not told to continue a body that the service will not read', async () => {
      const head =
        'POST /v1/pets HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 9\r\nConnection: close\r\n\r\n';
      const socket = await open();
      socket.write(head);
      const [first] = (await once(socket, 'data')) as [Buffer];
      expect(first.toString()).to.match(/^HTTP\/1\.1 401 /);
      socket.destroy();
    });
  });

  describe('while the service shuts down', () => {
    beforeEach(() => start());

    it('does not hold up a shutdown by a body that it owes after its 401', async () => {
      const socket = await open();
      socket.write('POST /v1/pets HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n1');
      await once(socket, 'data');
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
        const socket = await open();
        socket.resume().write(head);
        const drip = setInterval(() => socket.write(piece), 50);
        try {
          if (isAnswered) await once(socket, 'data');
          expect(await livez()).to.equal(200);
          command.kill('SIGTERM');
          expect(await command.exited).to.deep.equal({ code: 0, signal: null });
        } finally {
          clearInterval(drip);
          socket.destroy();
        }
      });
    }

    it('does not hold up a shutdown by answers that it does not read', async () => {
      const socket = await open();
      socket.pause();
      socket.write('GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(10));
      await livez();
      command.kill('SIGTERM');
      expect(await command.exited).to.deep.equal({ code: 0, signal: null });
    });
  });

  it('costs a bounded amount of memory if it pipelines lists and reads none of them', async () => {
    await start({ NODE_OPTIONS: '--max-old-space-size=64' });
    const url = `${command.url}/pets`;
    const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ name: '😀'.repeat(1024), categoryId: 1 });
    for (let i = 0; i < 100; i++) expect((await fetch(url, { method: 'POST', headers, body })).status).to.equal(201);
    // More pages in turn than the interface keeps the texts of, so that each answer is a text of its own.
    const lists = Array.from({ length: 760 }, (_, i) => `GET /v1/pets?limit=${60 + (i % 40)} HTTP/1.1\r\n${HEAD}\r\n`);
    const silent = await Promise.all([open(), open(), open()]);
    for (const socket of silent) {
      socket.pause();
      socket.write(lists.join(''));
    }
    for (let i = 0; i < 200; i++) expect(await livez()).to.equal(200);
    for (const socket of silent) socket.destroy();
    expect(await command.stop()).to.deep.equal({ code: 0, signal: null });
  });
});
