import { expect } from 'chai';
import { runCommand, startCommand, type RunningCommand } from '../../support/command.js';
import { startDatalessMongodb } from '../../support/dataless-mongodb.js';
import { onConnection } from '../../support/raw-connection.js';
import { request, send } from '../../support/request.js';
import { linesOf } from '../outcome.js';
import { storeFile } from '../store-file.js';

/** Every secret that these tests plant holds this text, which is a word of a URL, of JSON and of a header field. */
const SECRET = 'S3cret';
const KEY = `${SECRET}-key-of-anna-0001`;
const ENV = { API_KEYS: `anna:${KEY}`, LOG_LEVEL: 'trace' };

/** A catalogue that fails with an error that holds the document, as a database's error may. */
const CATALOGUE_THAT_TELLS = `(() => {
  class Refusal extends Error {
    document = { name: '${SECRET}' };
    errInfo = { details: [{ consideredValue: '${SECRET}' }] };
  }
  return { add: async () => { throw new Refusal('the document was refused', { cause: new Refusal('it is too long') }); } };
})()`;

describe('the log at trace', function () {
  this.timeout(180_000);
  it('has nothing secret of requests that are answered, nor of what is not well-formed HTTP', async () => {
    const command = await startCommand([], ENV);
    await sendSecrets(command);
    const malformed = [
      `GET /${SECRET} HTTP/9.9\r\nHost: a\r\n\r\n`,
      `${SECRET}\r\n\r\n`,
      `GET foo://${SECRET}@[/?${SECRET}=${SECRET} HTTP/1.1\r\nHost: a\r\n\r\n`,
      `GET ftp://[::1/?key=${SECRET} HTTP/1.1\r\nHost: a\r\n\r\n`,
      `GET / HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${KEY}\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
      `GET / HTTP/1.1\r\nHost: ${SECRET} ${SECRET}\r\n\r\n`,
      `CONNECT ${SECRET}:443 HTTP/1.1\r\nHost: ${SECRET}\r\n\r\n`,
    ];
    for (const bytes of malformed) {
      await onConnection(command.port, async (connection) => {
        expect((await connection.ask(bytes)).status).to.be.within(400, 431);
      });
    }
    await verifySilence(command, 13);
  });

  it('has nothing of an error but its type, message, code and stack', async () => {
    const command = await startCommand(['--store', storeFile(CATALOGUE_THAT_TELLS)], ENV);
    await send(`${command.url}/pets`, { key: KEY, body: `{"name":"${SECRET}","categoryId":7}` });
    await verifySilence(command, 1);
    const logged = linesOf(command.stderr).find((line) => line.includes('a request failed')) ?? '';
    const { err } = JSON.parse(logged) as { readonly err: object };
    expect(err).to.have.all.keys('type', 'message', 'stack');
    expect(JSON.stringify(err)).to.include('it is too long');
  });

  it('has nothing secret of a MongoDB that refuses the password', async () => {
    const server = await startDatalessMongodb();
    server.refuse({ code: 18, codeName: 'AuthenticationFailed', errmsg: 'Authentication failed.' }, ['saslStart']);
    const url = `mongodb://anna:${SECRET}@127.0.0.1:${server.port}/animals?authMechanism=SCRAM-SHA-256`;
    const command = runCommand(['serve', '--port', '0'], { ...ENV, STORE: 'mongodb', MONGODB_URL: url });
    await command.exited;
    expect(command.stderr).to.include('Authentication failed.');
    await verifySilence(command, 0);
  });
});

/** Sends requests that hold a secret wherever one can be. */
async function sendSecrets({ port }: RunningCommand): Promise<void> {
  const json = (name: string): string => `{"name":"${name}","categoryId":7}`;
  await request(port, 'GET', '/v1/pets', { key: KEY });
  await request(port, 'POST', '/v1/pets', { key: KEY, body: json(SECRET) });
  await request(port, 'POST', '/v1/pets', { key: KEY, body: `{"name":"${SECRET}",` });
  await request(port, 'POST', '/v1/pets', { key: KEY, body: `{"${SECRET}":"${SECRET}"}` });
  await request(port, 'POST', '/v1/pets', { key: KEY, body: json(SECRET), contentType: `text/${SECRET}` });
  await request(port, 'GET', '/v1/pets', { key: `${KEY}-wrong` });
  await request(port, 'GET', '/v1/pets', { authorization: `Basic ${KEY}` });
  await request(port, 'GET', `/v1/pets?limit=${SECRET}&status=${SECRET}&key=${SECRET}`, { key: KEY });
  await request(port, 'GET', `/v1/pets/${SECRET}`, { key: KEY });
  await request(port, 'GET', `/${SECRET}?${SECRET}`, { headers: [['Cookie', `session=${SECRET}`]] });
  await request(port, 'GET', '/livez', { headers: [['X-Request-Id', `${SECRET} with a space`]] });
  await request(port, 'PUT', `/v1/${SECRET}`, { key: KEY, body: SECRET });
  await request(port, 'GET', `http://anna:${SECRET}@example.com/v1/pets?after=${SECRET}`, { key: KEY });
}

/** Ends the command, and checks that its log has so many requests, and no secret. */
async function verifySilence(
  command: Pick<RunningCommand, 'stop' | 'stdout' | 'stderr'>,
  requests: number,
): Promise<void> {
  await command.stop();
  expect(command.stdout + command.stderr).to.not.include(SECRET);
  const answered = linesOf(command.stderr).filter((line) => line.includes('"msg":"answered"'));
  expect(answered.length).to.be.at.least(requests);
}
