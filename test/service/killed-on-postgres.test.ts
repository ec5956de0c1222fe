import { expect } from 'chai';
import type { RunningCommand } from '../support/command.js';
import { PostgresCluster } from '../support/postgres-cluster.js';
import { needsPostgresPrograms } from '../support/postgres.js';
import { KeyedCreations } from './keyed-creations.js';
import { KEY, serveOn } from './serve-on.js';

/** How often each of them is killed. */
const KILLS = Number(process.env['KILLS'] ?? 2);

/** How many creations are acknowledged between two kills. */
const BETWEEN = 300;

describe('animal-store serve on a PostgreSQL server that is killed, as it is itself', function () {
  this.timeout(180_000 + KILLS * 30_000);

  it('loses and doubles no acknowledged animal, and never ends by itself', async function () {
    await needsPostgresPrograms(this);
    const server = await PostgresCluster.start();
    const start = async (): Promise<RunningCommand> =>
      serveOn({ STORE: 'postgres', POSTGRES_URL: server.url() }, '--log-level', 'warn');
    let service = await start();
    const creations = new KeyedCreations(() => service.url, KEY);
    for (let kill = 0; kill < KILLS; kill++) {
      await creations.next(BETWEEN);
      await server.killPostmaster();
      await server.start();

      await creations.next(BETWEEN);
      await server.killBackend();

      await creations.next(BETWEEN);
      service.kill('SIGKILL');
      expect(await service.exited).to.deep.equal({ code: null, signal: 'SIGKILL' });
      service = await start();
    }
    await creations.next(BETWEEN);
    await creations.end();
    const { acknowledged, lost, doubled } = creations.compareWith(
      await server.query('SELECT id::text, name FROM pets'),
    );
    const longest = `the longest wait was ${Math.round(creations.longestMs)} ms`;
    console.log(`      ${3 * KILLS} kills: ${acknowledged} acknowledged, ${lost} lost, ${doubled} doubled; ${longest}`);
    expect({ lost, doubled }).to.deep.equal({ lost: 0, doubled: 0 });
    expect(service.stderr).to.not.match(/"level":(50|60)/);
    expect(await service.stop()).to.include({ code: 0 });
  });
});
