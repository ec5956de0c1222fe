import { expect } from 'chai';
import { EventEmitter, once } from 'node:events';
import {
  openPostgresDatabase,
  PostgresPetCatalogue,
  type PostgresDatabase,
  type ConnectionAttempt,
} from '../../../src/adapters/postgres/index.js';
import { PostgresCluster } from '../../support/postgres-cluster.js';
import { needsPostgresPrograms } from '../../support/postgres.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { SLACK_MS } from '../../support/slack.js';
import { startTcpProxy } from '../../support/tcp-proxy.js';
import { until } from '../../support/until.js';
import { openUntilEnd } from './open.js';

const REX = { name: 'Rex', categoryId: 7n } as const;

describe('PostgresPetCatalogue on a server that fails', () => {
  let server: PostgresCluster;

  before(async function startServer() {
    await needsPostgresPrograms(this);
    server = await PostgresCluster.start();
  });

  /** Ends the connections of the adapter. */
  const endSessions = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'animal-store'`;

  async function createCatalogue(options = {}): Promise<[PostgresPetCatalogue, PostgresDatabase]> {
    const database = await openUntilEnd(server.url(), { deadlineMs: 20_000, ...options });
    return [new PostgresPetCatalogue(database), database];
  }

  /** Waits until a statement waits for this lock, or for the standby. */
  const waits = async (event: string): Promise<number> =>
    until(async () => {
      const sql = `SELECT 1 FROM pg_stat_activity WHERE wait_event = '${event}' AND application_name = 'animal-store'`;
      return (await server.query(sql)).length > 0;
    });

  it('goes on after its idle connections were ended', async () => {
    const [catalogue] = await createCatalogue();
    const pets = await Promise.all(Array.from({ length: 5 }, async () => catalogue.find(1n)));
    await server.query(endSessions);
    expect(await catalogue.find(1n)).to.deep.equal(pets[0]);
  });

  describe('while a creation waits for another transaction', () => {
    /** Runs a function while the counter of the ids is locked. */
    async function whileLocked(run: () => Promise<void>): Promise<void> {
      const locking = server.query('BEGIN; UPDATE pet_counter SET last = last; SELECT pg_sleep(600); COMMIT');
      locking.catch(() => undefined);
      await until(
        async () => (await server.query("SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'")).length > 0,
      );
      try {
        await run();
      } finally {
        await server.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep'");
        await locking.catch(() => undefined);
      }
    }

    it('sends it again if its connection is lost and it has a key, and otherwise says that it may be stored', async () => {
      const [catalogue] = await createCatalogue();
      let keyed: Promise<unknown> | undefined;
      await whileLocked(async () => {
        keyed = catalogue.addOnce(REX, 'lost');
        const bare = rejectionOf(catalogue.add(REX));
        await waits('transactionid');
        await server.query(endSessions);
        expect(await bare).to.have.property('code', 'store_unavailable');
      });
      expect(await keyed).to.have.property('replayed', false);
    });

    it('rejects it at the deadline, and stores those that come later', async () => {
      const [catalogue] = await createCatalogue({ deadlineMs: 1000 });
      await whileLocked(async () => {
        const start = performance.now();
        expect(await rejectionOf(catalogue.add(REX))).to.have.property('code', 'store_unavailable');
        expect(performance.now() - start).to.be.lessThan(1000 + SLACK_MS);
        expect(await catalogue.find(0n)).to.equal(undefined);
      });
      await until(async () => {
        try {
          return (await catalogue.add(REX)).id > 0n;
        } catch (error) {
          expect(error).to.have.property('code', 'store_unavailable');
          return false;
        }
      });
    });

    it('outlives the reset of its connection', async () => {
      const proxy = await startTcpProxy(server.port);
      const url = `postgres://postgres@127.0.0.1:${proxy.port}/postgres`;
      const catalogue = new PostgresPetCatalogue(await openUntilEnd(url, { deadlineMs: 20_000 }));
      await whileLocked(async () => {
        const adding = rejectionOf(catalogue.add(REX));
        await waits('transactionid');
        proxy.cut();
        expect(await adding).to.have.property('code', 'store_unavailable');
        proxy.pass();
        expect(await catalogue.find(0n)).to.equal(undefined);
      });
    });

    it('leaves at once if it is aborted', async () => {
      const [catalogue] = await createCatalogue();
      await whileLocked(async () => {
        const controller = new AbortController();
        const adding = rejectionOf(catalogue.add(REX, { signal: controller.signal }));
        await waits('transactionid');
        controller.abort(new Error('the caller has gone'));
        expect(await adding).to.have.property('message', 'the caller has gone');
      });
    });
  });

  it('sends no statement whose caller has left before there was a connection for it', async () => {
    const proxy = await startTcpProxy(server.port);
    const database = await openUntilEnd(`postgres://postgres@127.0.0.1:${proxy.port}/postgres`, {
      deadlineMs: 20_000,
      maxConnections: 1,
    });
    const catalogue = new PostgresPetCatalogue(database);
    const gate = new EventEmitter();
    const [arrived, released] = [once(gate, 'arrived'), once(gate, 'released')];
    const seen: string[] = [];
    proxy.judge((chunk) => {
      const names = [...chunk.toString('latin1').matchAll(/pets\.\w+/g)].map(([name]) => name);
      seen.push(...names);
      if (!names.includes('pets.after_by_status')) return 'pass';
      gate.emit('arrived');
      return { until: released };
    });
    const first = catalogue.list({ limit: 1, status: 'sold' });
    await arrived;
    const controller = new AbortController();
    const left = rejectionOf(catalogue.list({ limit: 1 }, { signal: controller.signal }));
    const last = catalogue.find(1n);
    controller.abort(new Error('the caller has gone'));
    expect(await left).to.have.property('message', 'the caller has gone');
    gate.emit('released');
    await Promise.all([first, last]);
    expect(new Set(seen)).to.have.all.keys('pets.after_by_status', 'pets.by_ids');
  });

  it('leaves the host that is silent, and no other one', async () => {
    const [silent, other] = [await startTcpProxy(server.port), await startTcpProxy(server.port)];
    const attempts: string[] = [];
    const database = await openUntilEnd(
      `postgres://postgres@127.0.0.1:${silent.port},127.0.0.1:${other.port}/postgres`,
      { deadlineMs: 5000, onConnection: ({ host }) => attempts.push(host) },
    );
    const catalogue = new PostgresPetCatalogue(database);
    const gate = new EventEmitter();
    const arrived = once(gate, 'arrived');
    other.judge((chunk) => {
      if (!chunk.includes('pets.by_ids')) return 'pass';
      gate.emit('arrived');
      return { until: new Promise(() => undefined) };
    });
    silent.swallow();
    // On the connection that is there; then on a new one, for which it leaves the silent host after a while.
    const rejections = [rejectionOf(catalogue.find(1n)), rejectionOf(catalogue.find(2n))];
    await arrived;
    for (const error of await Promise.all(rejections)) expect(error).to.have.property('code', 'store_unavailable');
    attempts.length = 0;
    await catalogue.list({ limit: 1 });
    expect(new Set(attempts)).to.deep.equal(new Set([`127.0.0.1:${other.port}`]));
  });

  it('names the host of each connection, although another one was the present host when its caller began to wait', async () => {
    const [lost, other] = [await startTcpProxy(server.port), await startTcpProxy(server.port)];
    const opened: string[] = [];
    const onConnection = ({ host, error }: ConnectionAttempt): void => {
      if (error === undefined) opened.push(host);
    };
    const url = `postgres://postgres@127.0.0.1:${lost.port},127.0.0.1:${other.port}/postgres`;
    const database = await openUntilEnd(url, { deadlineMs: 20_000, maxConnections: 1, onConnection });
    const catalogue = new PostgresPetCatalogue(database);
    opened.length = 0;
    const found = [1n, 2n, 3n].map(async (id) => catalogue.find(id));
    lost.cut();
    await Promise.all(found);
    expect(new Set(opened)).to.deep.equal(new Set([`127.0.0.1:${other.port}`]));
  });

  it('says what it has tried if no host is a primary', async () => {
    const url = 'postgres://anna:hunter2@127.0.0.1:1,127.0.0.1:2/animals';
    const error = (await rejectionOf(openPostgresDatabase(url, { deadlineMs: 500 }))) as Error;
    expect(error).to.have.property('code', 'store_unavailable');
    expect((error.cause as Error).message).to.equal(
      'no PostgreSQL primary can be reached: 127.0.0.1:1 (connect ECONNREFUSED 127.0.0.1:1), 127.0.0.1:2 (connect ECONNREFUSED 127.0.0.1:2)',
    );
  });

  it('tells of each connection that was opened, and of each attempt that failed', async () => {
    const attempts: string[] = [];
    const onConnection = ({ host, error }: ConnectionAttempt): void => {
      attempts.push([host, error instanceof Error ? error.message : 'opened'].join(': '));
    };
    await openUntilEnd(`postgres://postgres@127.0.0.1:1,127.0.0.1:${server.port}/postgres`, { onConnection });
    expect(attempts).to.deep.equal([
      '127.0.0.1:1: connect ECONNREFUSED 127.0.0.1:1',
      `127.0.0.1:${server.port}: opened`,
    ]);
  });
});

describe('PostgresPetCatalogue on a server that waits for a standby', () => {
  let server: PostgresCluster;

  before(async function startServer() {
    await needsPostgresPrograms(this);
    server = await PostgresCluster.start();
    // The settings of the user and of the URL must hide neither the warning nor the wait.
    await server.query(
      `ALTER ROLE postgres SET client_min_messages = 'error'; ALTER ROLE postgres SET synchronous_commit = off`,
    );
  });

  for (const [end, title] of [
    ['pg_cancel_backend', 'cancels'],
    ['pg_terminate_backend', 'ends the connection of'],
  ] as const) {
    it(`does not acknowledge a creation if somebody ${title} its wait`, async () => {
      const database = await openUntilEnd(server.url(), { deadlineMs: 20_000 });
      const catalogue = new PostgresPetCatalogue(database);
      await server.query(`ALTER SYSTEM SET synchronous_standby_names = 'nobody'`);
      await server.query('SELECT pg_reload_conf()');
      await until(
        async () =>
          (await server.query('SHOW synchronous_standby_names'))[0]?.['synchronous_standby_names'] === 'nobody',
      );
      const waiting = "FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
      try {
        const adding = rejectionOf(catalogue.add(REX));
        await until(async () => (await server.query(`SELECT 1 ${waiting}`)).length > 0);
        await server.query(`SELECT ${end}(pid) ${waiting}`);
        expect(await adding).to.have.property('code', 'store_unavailable');
      } finally {
        await server.query('ALTER SYSTEM RESET synchronous_standby_names');
        await server.query('SELECT pg_reload_conf()');
      }
      await until(
        async () => (await server.query('SHOW synchronous_standby_names'))[0]?.['synchronous_standby_names'] === '',
      );
      expect(await catalogue.add(REX)).to.have.property('name', 'Rex');
    });
  }
});

describe('PostgresPetCatalogue on a primary and a standby', () => {
  it('uses the primary, wherever it stands among the hosts', async function () {
    await needsPostgresPrograms(this);
    const primary = await PostgresCluster.start();
    const standby = await primary.startStandby();
    const url = `postgres://postgres@127.0.0.1:${standby.port},127.0.0.1:${primary.port}/postgres`;
    const catalogue = new PostgresPetCatalogue(await openUntilEnd(url));
    expect(await catalogue.add(REX)).to.have.property('id', 1n);
  });
});
