import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { send } from '../../../../src/adapters/http/node/send.js';
import { getBytes, listen, open } from '../server/serving.js';

describe('send', () => {
  it('hands an answer to the operating system in one piece, which takes no gathering write', async () => {
    let pieces: readonly unknown[] = [];
    const port = await listen(async (request, response) => {
      // By then, the request has arrived whole.
      await setImmediate();
      pieces = notePieces(request.socket);
      send(response, { status: 200, headers: ['Content-Length', '2'], body: 'hi' });
    });
    const { text } = await (await open(port)).ask(getBytes('/'));
    expect(text).to.equal('hi');
    expect(pieces).to.have.lengthOf(1);
  });

  it('adds to the lists that the response has already, and sets every other field anew', async () => {
    const port = await listen((_request, response) => {
      response.setHeader('Vary', 'Accept-Encoding').setHeader('Content-Type', 'text/html');
      const headers = ['Content-Type', 'text/plain', 'Vary', 'Origin', 'Content-Length', '2'];
      send(response, { status: 200, headers, body: 'hi' });
    });
    const answer = await (await open(port)).ask(getBytes('/'));
    expect(answer.all('Vary')).to.deep.equal(['Accept-Encoding', 'Origin']);
    expect(answer.all('Content-Type')).to.deep.equal(['text/plain']);
  });
});

/** Notes everything that is written to a socket from now on. */
function notePieces(socket: Socket): readonly unknown[] {
  const pieces: unknown[] = [];
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
  socket.write = (...args: unknown[]) => {
    pieces.push(args[0]);
    return write(...args);
  };
  return pieces;
}
