import { expect } from 'chai';
import { startCommand, type RunningCommand } from '../support/command.js';
import { onConnection, RawConnection } from '../support/raw-connection.js';
import { BUNDLE_PATH } from '../support/reference-files.js';
import { request, requestBytes, send } from '../support/request.js';
import { until } from '../support/until.js';

const GARBAGE = 'garbage\r\n\r\n';

describe('what the server of animal-store serve refuses', () => {
  it('is logged at debug, with the id of its answer and the address of its client', async () => {
    const command = await startCommand(['--log-level', 'debug'], {});
    const answer = await onConnection(command.port, async (connection) => connection.ask(GARBAGE));
    await command.stop();
    const lines = command.stderr.split('\n').filter((line) => line.includes('"refused"'));
    expect(lines).to.have.length(1);
    expect(JSON.parse(lines[0] ?? '')).to.include({
      level: 20,
      msg: 'refused',
      status: 400,
      code: 'bad_request',
      reason: 'the request is not well-formed HTTP',
      clientAddress: '127.0.0.1',
      requestId: answer.header('X-Request-Id'),
    });
  });

  it('is logged with the address that a trusted proxy has written', async () => {
    const command = await startCommand(['--log-level', 'debug', '--trust-proxy', 'private, loopback'], {});
    const headers = [
      ['Host', 'another'],
      ['X-Forwarded-For', '198.51.100.1, 203.0.113.7'],
    ] as const;
    await request(command.port, 'GET', '/livez', { headers });
    await command.stop();
    expect(command.stderr).to.match(/"clientAddress":"203\.0\.113\.7",.*"msg":"refused"/);
  });

  it('is not logged at info', async () => {
    const command = await startCommand(['--log-level', 'info'], {});
    await onConnection(command.port, async (connection) => connection.ask(GARBAGE));
    await command.stop();
    expect(command.stderr).to.not.include('refused');
  });

  it('is counted if it is a connection beyond --max-connections', async () => {
    const command = await startCommand(['--metrics-port', '0', '--max-connections', '1']);
    await onConnection(command.port, async () => {
      const refusal = await onConnection(command.port, async (refused) => refused.receive());
      expect(refusal.json).to.include({ code: 'overloaded', status: 503 });
    });
    expect(await metricsOf(command)).to.include('animal_store_http_refused_total{limit="connections"} 1');
  });

  it('is cut and counted if more bytes than --max-unsent wait for a client', async () => {
    const command = await startCommand(['--metrics-port', '0', '--max-unsent', '1MiB']);
    const connection = await RawConnection.open(command.port);
    connection.stopReading();
    // More than the kernel's buffers hold.
    connection.send(Buffer.concat(Array.from({ length: 20 }, () => requestBytes('GET', BUNDLE_PATH))));
    await until(async () => (await metricsOf(command)).includes('animal_store_http_refused_total{limit="unsent"} 1'));
  });
});

async function metricsOf(command: RunningCommand): Promise<string> {
  return (await send(await command.find(() => /^Metrics: (\S+)\n/m.exec(command.stdout)?.[1]))).text;
}
