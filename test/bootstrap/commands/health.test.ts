import { expect } from 'chai';
import { createServer } from 'node:http';
import { endWithTest } from '../../support/cleanup.js';
import { outcomeOf } from '../../support/command.js';
import { listenOnFreePort } from '../../support/listen-on-free-port.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { start } from '../in-process.js';
import { printedBy, refusalOf, runHere } from '../outcome.js';

describe('animal-store health', () => {
  /** The origin of a service that answers every request with a status. */
  async function answering(status: number): Promise<string> {
    const port = await listenOnFreePort(createServer((_request, response) => response.writeHead(status).end()));
    return `http://127.0.0.1:${port}`;
  }

  it('ends with 0 if the service is ready, and with 1 and one line if nothing listens', async () => {
    const server = await start();
    const { origin } = server;
    expect(await outcomeOf(['health', '--url', origin])).to.deep.equal({ code: 0, stdout: 'ready\n', stderr: '' });
    await server.close();
    const { code, stderr } = await outcomeOf(['health', '--url', origin]);
    expect(code).to.equal(1);
    expect(stderr).to.match(/^animal-store: http:\/\/\S+\/readyz does not answer: .*ECONNREFUSED.*\n$/);
  });

  it('asks the service of HOST and PORT, on this machine if they mean every interface', async () => {
    const PORT = new URL((await start()).origin).port;
    for (const HOST of ['', '127.0.0.1', '0.0.0.0', '::']) {
      expect(await printedBy(['health'], { HOST, PORT }), HOST).to.equal('ready\n');
    }
  });

  it('fails for a service that is not ready, and asks with --live only whether it runs', async () => {
    const origin = await answering(503);
    const error = await rejectionOf(runHere(['health', '--url', origin]));
    expect(error).to.have.property('message', `${origin}/readyz answers 503`);
    expect(await printedBy(['health', '--live', '--url', (await start()).origin])).to.equal('alive\n');
  });

  it('gives up on a service that takes its request, but does not answer in time', async () => {
    const { timeout } = AbortSignal;
    AbortSignal.timeout = () => timeout(1);
    endWithTest(() => (AbortSignal.timeout = timeout));
    const slow = createServer((_request, response) => {
      const timer = setTimeout(() => response.end(), 2000);
      response.on('close', () => clearTimeout(timer));
    });
    const url = `http://127.0.0.1:${await listenOnFreePort(slow)}`;
    const error = await rejectionOf(runHere(['health', '--url', url]));
    expect(error).to.have.property('message', `${url}/readyz does not answer`);
  });

  it('asks the service itself, whatever proxy the environment names', async () => {
    const proxy = 'http://127.0.0.1:1';
    const env = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: proxy, http_proxy: proxy };
    const { origin } = await start();
    expect(await outcomeOf(['health', '--url', origin], env)).to.include({ code: 0, stdout: 'ready\n' });
  });

  it('refuses a host that is none', async () => {
    for (const host of ['a b', 'a/b', '[::1]', 'fe80::1%eth0']) {
      expect(await refusalOf(['health', '--host', host])).to.match(/^option '--host <address>' .* must be a host name/);
    }
  });

  it('refuses an address that is none', async () => {
    for (const url of ['localhost:3000', 'http://anna:secret@localhost', 'ftp://localhost']) {
      expect(await refusalOf(['health', '--url', url])).to.match(/must be an http or https URL without credentials/);
    }
  });
});
