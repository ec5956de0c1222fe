import { expect } from 'chai';
import { readBody } from '../../../../src/adapters/http/node/read-body.js';
import { useHttpServers } from './use-http-server.js';

describe('readBody', () => {
  const { listen, open } = useHttpServers();

  it('takes a body that came together with its header section at once, without listening for it', async () => {
    let listeners = Number.NaN;
    const port = await listen(async (request, response) => {
      const body = await readBody(request, 9);
      listeners = request.listenerCount('data');
      response.end(body);
    });
    const answer = await (await open(port)).ask('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nhi');
    expect(answer.text).to.equal('hi');
    expect(listeners).to.equal(0);
  });
});
