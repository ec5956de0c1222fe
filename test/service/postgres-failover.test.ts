import { expect } from 'chai';
import { setTimeout as pause } from 'node:timers/promises';
import type { RunningCommand } from '../support/command.js';
import { PostgresCluster } from '../support/postgres-cluster.js';
import { needsPostgresPrograms } from '../support/postgres.js';
import { KeyedCreations, type Comparison } from './keyed-creations.js';
import { KEY, serveOn } from './serve-on.js';

/** `FAILOVERS=20 npx mocha test/service/postgres-failover.test.ts` is a longer proof. */
const FAILOVERS = Number(process.env['FAILOVERS'] ?? 3);

/** How many creations are acknowledged before and after each fault. */
const BETWEEN = 300;

/** How long a standby hears nothing before its primary is killed, in milliseconds: otherwise a fast one has everything. */
const DEAF_MS = 300;

describe('animal-store serve on a PostgreSQL primary and its standby', function () {
  this.timeout(180_000 + FAILOVERS * 30_000);

  before(async function checkPrograms() {
    await needsPostgresPrograms(this);
  });

  /** A service and its load on two servers, of which the first is the primary. */
  async function startPair(isSynchronous: boolean) {
    const primary = await PostgresCluster.start();
    const standby = await primary.startStandby();
    if (isSynchronous) await primary.waitForStandbys();
    const POSTGRES_URL = `postgres://postgres@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/postgres`;
    const service = await serveOn(
      { STORE: 'postgres', POSTGRES_URL },
      '--log-level',
      'warn',
      '--postgres-deadline',
      '2s',
    );
    const creations = new KeyedCreations(() => service.url, KEY);
    await creations.next(BETWEEN);
    return { primary, standby, service, creations };
  }

  /** Ends the load, and compares what the present primary has with what was acknowledged. Says what was found. */
  async function compare(
    primary: PostgresCluster,
    creations: KeyedCreations,
    service: RunningCommand,
    what: string,
  ): Promise<Comparison> {
    await creations.end();
    const found = creations.compareWith(await primary.query('SELECT id::text, name FROM pets'));
    const { acknowledged, lost, doubled } = found;
    const longest = `the longest wait was ${Math.round(creations.longestMs)} ms`;
    console.log(`      ${what}: ${acknowledged} acknowledged, ${lost} lost, ${doubled} doubled; ${longest}`);
    expect(service.stderr).to.not.match(/"level":(50|60)/);
    expect(await service.stop()).to.include({ code: 0 });
    return found;
  }

  it('loses and doubles no acknowledged animal if the primary is killed and its synchronous standby promoted', async () => {
    const pair = await startPair(true);
    let { primary, standby } = pair;
    for (let failover = 0; failover < FAILOVERS; failover++) {
      await primary.kill();
      await standby.promote();
      await pair.creations.next(BETWEEN);
      const { port } = primary;
      await primary.dispose();
      primary = standby;
      standby = await primary.startStandby({ port });
      await primary.waitForStandbys();
      await pair.creations.next(BETWEEN);
    }
    const { lost, doubled } = await compare(primary, pair.creations, pair.service, `${FAILOVERS} failovers`);
    expect({ lost, doubled }).to.deep.equal({ lost: 0, doubled: 0 });
  });

  it('loses some if the standby is asynchronous: otherwise, the test before would prove nothing', async () => {
    const { primary, standby, service, creations } = await startPair(false);
    await primary.freezeSenders();
    await pause(DEAF_MS);
    await creations.next(BETWEEN);
    await primary.kill();
    await standby.promote();
    await creations.next(BETWEEN);
    const { lost } = await compare(standby, creations, service, 'the control');
    expect(lost).to.be.greaterThan(0);
  });

  it('loses and doubles none if the primary freezes, its standby is promoted, and the old one goes on', async () => {
    const { primary, standby, service, creations } = await startPair(true);
    await primary.freeze();
    await standby.promote();
    await creations.next(BETWEEN);
    await primary.thaw();
    await creations.next(BETWEEN);
    const { lost, doubled } = await compare(standby, creations, service, 'a frozen primary');
    expect({ lost, doubled }).to.deep.equal({ lost: 0, doubled: 0 });
  });
});
