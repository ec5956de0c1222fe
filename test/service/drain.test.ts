import { expect } from 'chai';
import type { Exit } from '../support/child.js';
import type { RunningCommand } from '../support/command.js';
import { refusal } from '../support/is-listening.js';
import { RawConnection } from '../support/raw-connection.js';
import { requestBytes } from '../support/request.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';
import { throughProxy, usePrivateServer } from '../support/use-mongodb.js';
import { isUnavailable } from './http-load.js';
import { KEY, startService } from './mongodb-service.js';
import { storedIds } from './stored-ids.js';

const CREATE = requestBytes('POST', '/v1/pets', { key: KEY, body: '{"name":"Rex","categoryId":7}' });

describe('animal-store serve on MongoDB after a signal', function () {
  this.timeout(180_000);
  const { server } = usePrivateServer();
  let proxy: TcpProxy;

  before(async () => {
    proxy = await startTcpProxy(server().port);
  });

  afterEach(() => {
    server().resume();
    (proxy as TcpProxy | undefined)?.pass();
  });

  after(async () => (proxy as TcpProxy | undefined)?.close());

  const start = async (...flags: string[]): Promise<RunningCommand> =>
    startService(throughProxy(server().url, proxy, 'zoo'), flags);

  /** Ends the service by SIGTERM. Its exit code is 0 only if it has ended within its time-out. */
  const terminate = async (service: RunningCommand): Promise<Exit> => {
    service.kill('SIGTERM');
    return service.exited;
  };

  it('answers and stores what is in flight, and ends with 0', async () => {
    const service = await start();
    proxy.delay(100);
    const connections = await Promise.all(Array.from({ length: 20 }, async () => RawConnection.open(service.port)));
    const answers = Promise.all(connections.map(async (connection) => connection.ask(CREATE)));
    const witness = await RawConnection.open(service.port);
    await witness.ask(requestBytes('GET', '/livez'));
    service.kill('SIGTERM');
    await refusal(service.port);
    const created = (await answers).map(({ status, isLast, text }) => {
      expect({ status, isLast }).to.deep.equal({ status: 201, isLast: true });
      return /"id":(\d+)/.exec(text)?.[1] ?? '';
    });
    expect(await service.exited).to.deep.equal({ code: 0, signal: null });
    (proxy as TcpProxy | undefined)?.pass();
    const next = await start();
    expect(await storedIds(next, KEY)).to.include.members(created);
    await next.stop();
  });

  for (const fault of ['is paused', 'is behind a network that swallows'] as const) {
    it(`answers 503 to what is in flight, then ends with 0, if the database ${fault}`, async () => {
      const service = await start();
      const connection = await RawConnection.open(service.port);
      expect((await connection.ask(CREATE)).status).to.equal(201);
      if (fault === 'is paused') await server().pause();
      else proxy.swallow();
      const answer = connection.ask(CREATE);
      expect(await terminate(service)).to.deep.equal({ code: 0, signal: null });
      expect(isUnavailable(await answer)).to.equal(true);
    });
  }

  it('ends with 1 at its time-out if that comes first and the database is silent', async () => {
    const service = await start('--shutdown-timeout=1000');
    const connection = await RawConnection.open(service.port);
    expect((await connection.ask(CREATE)).status).to.equal(201);
    await server().pause();
    await connection.deliver(CREATE);
    expect(await terminate(service)).to.deep.equal({ code: 1, signal: null });
    connection.destroy();
  });
});
