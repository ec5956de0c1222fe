import { expect } from 'chai';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { Connection } from '../../../../src/adapters/http/server/connection.js';
import { reportTo, type Refusal } from '../../../../src/adapters/http/server/refusals.js';
import { UnsentAnswers } from '../../../../src/adapters/http/server/unsent-answers.js';
import { listenOnFreePort } from '../../../support/listen-on-free-port.js';
import { until } from '../../../support/until.js';

const MB = 1_000_000;

describe('UnsentAnswers', () => {
  let connections: Map<Socket, Connection>;
  let refusals: Refusal[];
  let port: number;

  beforeEach(async () => {
    connections = new Map();
    refusals = [];
    const shared = {
      waiting: 0,
      report: reportTo((refusal) => refusals.push(refusal), undefined),
      run: () => undefined,
    };
    port = await listenOnFreePort(
      createServer((socket) => {
        // A connection that is cut reports that it was reset.
        socket.on('error', () => undefined);
        connections.set(socket, new Connection(socket, shared));
      }),
    );
  });

  /** A connection whose client reads nothing of these bytes: so many that the operating system cannot take all of them. */
  async function holding(bytes: number): Promise<Connection & { readonly client: Socket }> {
    const { size } = connections;
    const client = connect(port, '127.0.0.1');
    client.on('error', () => undefined);
    await until(() => connections.size > size);
    const connection = [...connections.values()].at(-1) as Connection;
    connection.socket.write(Buffer.alloc(bytes));
    return Object.assign(connection, { client });
  }

  const cut = (): readonly boolean[] => [...connections.keys()].map(({ destroyed }) => destroyed);

  it('lets exactly as many bytes wait as its bound says, and no more', async () => {
    const connection = await holding(50 * MB);
    new UnsentAnswers(50 * MB, 60_000).count(connection);
    expect(cut()).to.deep.equal([false]);
    new UnsentAnswers(50 * MB - 1, 60_000).count(connection);
    expect(cut()).to.deep.equal([true]);
    expect(refusals.map(({ limit }) => limit)).to.deep.equal(['unsent']);
  });

  it('counts a connection once, however often it is counted', async () => {
    const answers = new UnsentAnswers(50 * MB, 60_000);
    const connection = await holding(30 * MB);
    for (let i = 0; i < 5; i++) answers.count(connection);
    expect(cut()).to.deep.equal([false]);
  });

  it('counts what was written since the answers were last counted, and no connection that is closing', async () => {
    const answers = new UnsentAnswers(50 * MB, 60_000);
    const [closed, open] = [await holding(30 * MB), await holding(40 * MB)];
    closed.socket.destroy();
    answers.countAll(connections.values());
    expect(cut()).to.deep.equal([true, false]);
    open.socket.write(Buffer.alloc(11 * MB));
    answers.countAll(connections.values());
    expect(cut()).to.deep.equal([true, true]);
  });

  it('cuts no more connections than necessary', async () => {
    const answers = new UnsentAnswers(50 * MB, 60_000);
    for (const bytes of [20, 30, 31]) answers.count(await holding(bytes * MB));
    expect(cut()).to.deep.equal([false, false, true]);
  });

  it('cuts as many connections as necessary, those with the most bytes first', async () => {
    for (const bytes of [41, 47, 15]) await holding(bytes * MB);
    new UnsentAnswers(50 * MB, 60_000).countAll(connections.values());
    expect(cut()).to.deep.equal([true, true, false]);
  });

  it('cuts none if the counted bytes have been read in the meantime', async () => {
    const answers = new UnsentAnswers(50 * MB, 60_000);
    const reader = await holding(30 * MB);
    answers.count(reader);
    reader.client.resume();
    if (reader.socket.writableLength > 0) await once(reader.socket, 'drain');
    answers.count(await holding(40 * MB));
    expect(cut()).to.deep.equal([false, false]);
  });
});
