import { expect } from 'chai';
import { startHttpLoad } from '../service/http-load.js';
import { startCommand, type RunningCommand } from '../support/command.js';
import { RawConnection } from '../support/raw-connection.js';
import { refusal } from '../support/is-listening.js';
import { requestBytes } from '../support/request.js';

const KEY = 'a-key-of-more-than-16';
const BODY = '{"name":"Rex","categoryId":7}';
const LIST = requestBytes('GET', '/v1/pets', { key: KEY });
const READY = requestBytes('GET', '/readyz');
const CREATE = requestBytes('POST', '/v1/pets', { key: KEY, body: BODY });
const SPLIT = CREATE.length - 10;

/** The pause of each client between a response and its next request, in milliseconds. */
const PAUSES = [0, 0, 0, 0, 0, 1, 5, 20];
const ANSWERS_BEFORE_THE_SIGNAL = 150;

describe('animal-store serve after a signal', () => {
  let command: RunningCommand;
  let connections: RawConnection[];

  const start = async (...flags: string[]): Promise<void> => {
    command = await startCommand(['--log-level=silent', ...flags], { API_KEYS: `anna:${KEY}` });
    connections = [];
  };

  const open = async (): Promise<RawConnection> => {
    const connection = await RawConnection.open(command.port);
    connections.push(connection);
    return connection;
  };

  /** A request of which the service has the head and a part of the body. */
  const openHalfSent = async (): Promise<RawConnection> => {
    const connection = await open();
    await connection.deliver(CREATE.subarray(0, SPLIT));
    await (await open()).ask(LIST);
    return connection;
  };

  afterEach(async () => {
    for (const connection of connections) connection.destroy();
    command.kill('SIGKILL');
    await command.exited;
  });

  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    it(`refuses new connections after ${signal} while it serves requests in flight, and closes their connections with the response`, async () => {
      await start();
      const connection = await openHalfSent();
      command.kill(signal);
      await refusal(command.port);
      const { status, isLast } = await connection.ask(CREATE.subarray(SPLIT));
      expect({ status, isLast }).to.deep.equal({ status: 201, isLast: true });
      await connection.closed;
      expect(await command.exited).to.deep.equal({ code: 0, signal: null });
    });
  }

  for (const framing of ['Content-Length: 9000', 'Transfer-Encoding: chunked']) {
    it(`ends with 0 although the body of a refused request drips in, with ${framing}`, async () => {
      await start();
      const connection = await open();
      const response = await connection.ask(`POST /v1/pets HTTP/1.1\r\nHost: x\r\n${framing}\r\n\r\n`);
      expect(response.status).to.equal(401);
      const drops = setInterval(() => connection.send(framing.endsWith('chunked') ? '1\r\nx\r\n' : 'x'), 100);
      try {
        command.kill('SIGTERM');
        expect(await command.exited).to.deep.equal({ code: 0, signal: null });
      } finally {
        clearInterval(drops);
      }
    });
  }

  it('is no longer ready by /readyz on an open connection', async () => {
    await start();
    const connection = await open();
    expect((await connection.ask(READY)).status).to.equal(200);
    command.kill('SIGTERM');
    let response = await connection.ask(READY);
    while (!response.isLast) response = await connection.ask(READY);
    expect(response.status).to.equal(503);
  });

  describe('with a program that was loaded by --import', () => {
    /** Starts the command with a program, and sends it SIGTERM. */
    const stopWith = async (program: string): Promise<void> => {
      const NODE_OPTIONS = `--import=data:text/javascript,${encodeURI(program)}`;
      command = await startCommand(['--log-level=silent'], { API_KEYS: `anna:${KEY}`, NODE_OPTIONS });
      connections = [];
      command.kill('SIGTERM');
      expect(await command.exited).to.deep.equal({ code: 0, signal: null });
    };

    it('lets it finish its work in beforeExit', async () => {
      await stopWith('process.once("beforeExit", () => setImmediate(() => console.error("traces are sent")))');
      expect(command.stderr).to.equal('traces are sent\n');
    });

    it('ends although the program keeps working', async () => {
      await stopWith('setInterval(() => {}, 100)');
    });
  });

  it('ends immediately with 1 at a second signal', async () => {
    await start('--shutdown-timeout=600000');
    const connection = await openHalfSent();
    command.kill('SIGTERM');
    await refusal(command.port);
    command.kill('SIGINT');
    expect(await command.exited).to.deep.equal({ code: 1, signal: null });
    await connection.closed;
  });
});

describe('animal-store serve under steady load', function () {
  this.timeout(180_000);

  it('fails no request while it ends', async () => {
    const command = await startCommand(['--log-level=silent'], { API_KEYS: `anna:${KEY}` });
    const { load } = startHttpLoad(command, [KEY], PAUSES.length, PAUSES);
    await load.next('answered', ANSWERS_BEFORE_THE_SIGNAL);
    command.kill('SIGTERM');
    const { unexpected, unavailable } = await load.ended();
    expect({ unexpected, unavailable }).to.deep.equal({ unexpected: [], unavailable: 0 });
    expect(await command.exited).to.deep.equal({ code: 0, signal: null });
  });
});
