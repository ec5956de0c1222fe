import { expect } from 'chai';
import { pino, type Logger } from 'pino';
import { metricsAt } from '../support/metrics.js';
import { onConnection } from '../support/raw-connection.js';
import { request } from '../support/request.js';
import { start } from './in-process.js';

const GARBAGE = 'garbage\r\n\r\n';
const REFUSED = 'animal_store_http_refused_total';

describe('what the server refuses', () => {
  it('is logged at debug, with the id of its response and the address of its client', async () => {
    const { lines, log } = recordedLog('debug');
    const { origin } = await start({}, log);
    const response = await onConnection(portOf(origin), async (connection) => connection.ask(GARBAGE));
    expect(lines).to.have.length(1);
    expect(JSON.parse(lines[0] ?? '')).to.include({
      level: 20,
      msg: 'refused',
      status: 400,
      code: 'bad_request',
      reason: 'the method is not known: it must be one such as GET or POST, in capital letters',
      clientAddress: '127.0.0.1',
      requestId: response.header('X-Request-Id'),
    });
  });

  it('is logged with the address that a trusted proxy has written', async () => {
    const { lines, log } = recordedLog('debug');
    const { origin } = await start({ trustProxy: ['private', 'loopback'] }, log);
    const headers = [
      ['Host', 'another'],
      ['X-Forwarded-For', '198.51.100.1, 203.0.113.7'],
    ] as const;
    await request(portOf(origin), 'GET', '/livez', { headers });
    expect(JSON.parse(lines[0] ?? '')).to.include({ clientAddress: '203.0.113.7', msg: 'refused' });
  });

  it('is counted if it is a connection beyond maxConnections', async () => {
    const { origin, metricsUrl = '' } = await start({ metricsPort: 0, maxConnections: 1 });
    await onConnection(portOf(origin), async () => {
      expect(await onConnection(portOf(origin), async (refused) => refused.finished())).to.equal('');
    });
    expect((await metricsAt(metricsUrl)).value(REFUSED, { limit: 'connections' })).to.equal(1);
  });
});

/** A log at a level, and its lines that are no news of the start. */
function recordedLog(level: string): { readonly lines: readonly string[]; readonly log: Logger } {
  const lines: string[] = [];
  const write = (line: string): unknown => line.includes('"refused"') && lines.push(line);
  return { lines, log: pino({ level }, { write }) };
}

function portOf(origin: string): number {
  return Number(new URL(origin).port);
}
