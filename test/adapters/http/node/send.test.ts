import { createServer, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { send } from '../../../../src/adapters/http/node/send.js';
import { listenOnFreePort } from '../../../support/listen-on-free-port.js';
import { getBytes, listen, open } from '../server/serving.js';

describe('send', () => {
  it('passes an answer to the operating system in one piece, without a gathering write', async () => {
    let pieces: readonly unknown[] = [];
    const port = await listen(async (request, response) => {
      // By then, the request has arrived whole.
      await setImmediate();
      pieces = noteWrites(request.socket, 0);
      send(request, response, { status: 200, headers: ['Content-Length', '2'], body: 'hi' });
    });
    const { text } = await (await open(port)).ask(getBytes('/'));
    expect(text).to.equal('hi');
    expect(pieces).to.have.lengthOf(1);
  });

  for (const [text, encoding] of [
    ['ASCII', 'latin1'],
    ['Zoë', 'utf8'],
    ['犬', 'utf8'],
  ] as const) {
    it(`sends ${text} in UTF-8, written as ${encoding}`, async () => {
      let written: readonly unknown[] = [];
      const length = Buffer.byteLength(text);
      const port = await listen((request, response) => {
        written = noteWrites(request.socket, 1);
        send(request, response, { status: 200, headers: ['Content-Length', String(length)], body: text });
      });
      expect((await (await open(port)).ask(getBytes('/'))).text).to.equal(text);
      expect(written).to.deep.equal([encoding]);
    });
  }

  it("accepts an answer before its turn on a connection of Node's own server", async () => {
    const responses: ServerResponse[] = [];
    const server = createServer((request, response) => {
      responses.unshift(response);
      if (responses.length < 2) return;
      for (const [i, each] of responses.entries()) {
        send(request, each, { status: 200, headers: ['Content-Length', '2'], body: `n${i}` });
      }
    });
    const connection = await open(await listenOnFreePort(server));
    const first = await connection.ask(getBytes('/') + getBytes('/'));
    expect([first.text, (await connection.receive()).text]).to.deep.equal(['n1', 'n0']);
  });

  it('appends to lists that the response already has, and replaces every other field', async () => {
    const port = await listen((request, response) => {
      response.setHeader('Vary', 'Accept-Encoding').setHeader('Content-Type', 'text/html');
      const headers = ['Content-Type', 'text/plain', 'Vary', 'Origin', 'Content-Length', '2'];
      send(request, response, { status: 200, headers, body: 'hi' });
    });
    const answer = await (await open(port)).ask(getBytes('/'));
    expect(answer.all('Vary')).to.deep.equal(['Accept-Encoding', 'Origin']);
    expect(answer.all('Content-Type')).to.deep.equal(['text/plain']);
  });
});

/** Notes an argument of everything that is written to a socket from now on: 0 is the piece, 1 its encoding. */
function noteWrites(socket: Socket, argument: 0 | 1): readonly unknown[] {
  const noted: unknown[] = [];
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
  socket.write = (...args: unknown[]) => {
    noted.push(args[argument]);
    return write(...args);
  };
  return noted;
}
