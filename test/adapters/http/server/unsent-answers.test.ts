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
  let accepted: Socket[];
  let refusals: Refusal[];
  let port: number;

  beforeEach(async () => {
    [accepted, refusals] = [[], []];
    port = await listenOnFreePort(
      createServer((socket) => {
        // A connection that is cut reports that it was reset.
        socket.on('error', () => undefined);
        accepted.push(socket);
      }),
    );
  });

  /** A connection whose client reads nothing of these bytes: so many that the operating system cannot take all of them. */
  async function holding(bytes: number): Promise<Connection & { readonly client: Socket }> {
    const count = accepted.length;
    const client = connect(port, '127.0.0.1');
    client.on('error', () => undefined);
    await until(() => accepted.length > count);
    const connection = new Connection(accepted[count] as Socket, {
      waiting: 0,
      report: reportTo((refusal) => refusals.push(refusal), undefined),
      run: () => undefined,
    });
    connection.socket.write(Buffer.alloc(bytes));
    return Object.assign(connection, { client });
  }

  const cut = (): readonly boolean[] => accepted.map(({ destroyed }) => destroyed);

  it('lets exactly as many bytes wait as its bound says, and no more', async () => {
    const answers = new UnsentAnswers(50 * MB);
    answers.count(await holding(24 * MB));
    answers.count(await holding(26 * MB));
    expect(cut()).to.deep.equal([false, false]);
    const one = new UnsentAnswers(50 * MB - 1);
    one.count(await holding(50 * MB));
    expect(cut()).to.deep.equal([false, false, true]);
    expect(refusals.map(({ limit }) => limit)).to.deep.equal(['unsent']);
  });

  it('counts a connection once, however often it is counted', async () => {
    const answers = new UnsentAnswers(50 * MB);
    const connection = await holding(30 * MB);
    for (let i = 0; i < 5; i++) answers.count(connection);
    expect(cut()).to.deep.equal([false]);
  });

  it('counts what was written to a connection since it was last counted', async () => {
    const answers = new UnsentAnswers(50 * MB);
    const connection = await holding(30 * MB);
    answers.count(connection);
    connection.socket.write(Buffer.alloc(21 * MB));
    answers.count(connection);
    expect(cut()).to.deep.equal([true]);
  });

  it('forgets a closed connection, whether it is told or notices it', async () => {
    const answers = new UnsentAnswers(50 * MB);
    const [told, found, last] = [await holding(30 * MB), await holding(20 * MB), await holding(50 * MB)];
    for (const connection of [told, found]) answers.count(connection);
    answers.forget(told);
    answers.forget(told);
    found.socket.destroy();
    answers.count(found);
    answers.count(last);
    expect(cut()).to.deep.equal([false, true, false]);
    last.socket.write(Buffer.alloc(MB));
    answers.count(last);
    expect(cut()).to.deep.equal([false, true, true]);
  });

  it('cuts no more connections than necessary', async () => {
    const answers = new UnsentAnswers(50 * MB);
    for (const bytes of [20, 30, 31]) answers.count(await holding(bytes * MB));
    expect(cut()).to.deep.equal([false, false, true]);
  });

  it('cuts as many connections as necessary, those with the most bytes first', async () => {
    const answers = new UnsentAnswers(50 * MB);
    for (const bytes of [20, 24]) answers.count(await holding(bytes * MB));
    for (const [i, bytes] of [21, 23].entries()) accepted[i]?.write(Buffer.alloc(bytes * MB));
    answers.count(await holding(15 * MB));
    expect(cut()).to.deep.equal([true, true, false]);
  });

  it('cuts none if the counted bytes have been read in the meantime', async () => {
    const answers = new UnsentAnswers(50 * MB);
    const reader = await holding(30 * MB);
    answers.count(reader);
    reader.client.resume();
    if (reader.socket.writableLength > 0) await once(reader.socket, 'drain');
    answers.count(await holding(40 * MB));
    expect(cut()).to.deep.equal([false, false]);
  });
});
