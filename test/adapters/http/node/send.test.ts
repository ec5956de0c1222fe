import { createServer, type ServerResponse } from 'node:http';
import { expect } from 'chai';
import { send } from '../../../../src/adapters/http/node/send.js';
import { listenOnFreePort } from '../../../support/listen-on-free-port.js';
import { getBytes, listen, open } from '../server/serving.js';

describe('send', () => {
  it("accepts a response before its turn on a connection of Node's own server", async () => {
    const responses: ServerResponse[] = [];
    const server = createServer((request, response) => {
      responses.unshift(response);
      if (responses.length < 2) return;
      for (const [i, each] of responses.entries()) {
        send(request, each, { status: 200, headers: ['Content-Length', '2'], body: `n${i}`, length: 2 });
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
      send(request, response, { status: 200, headers, body: 'hi', length: 2 });
    });
    const received = await (await open(port)).ask(getBytes('/'));
    expect(received.all('Vary')).to.deep.equal(['Accept-Encoding', 'Origin']);
    expect(received.all('Content-Type')).to.deep.equal(['text/plain']);
  });

  it('leaves a response alone that has been answered', async () => {
    const port = await listen((request, response) => {
      response.writeHead(503, { 'Content-Length': 0 }).end();
      send(request, response, { status: 200, headers: ['Content-Length', '2'], body: 'hi', length: 2 });
    });
    const connection = await open(port);
    for (let i = 0; i < 2; i++) expect((await connection.ask(getBytes('/'))).status).to.equal(503);
  });
});
