import { Counter, Gauge, type Registry } from 'prom-client';
import type { MongoClient } from '../../adapters/mongodb/client.js';
import type { MongodbMeter } from '../modules/mongodb-module.js';
import { durationHistogram } from './duration-histogram.js';

/** Measures the operations on MongoDB, and, with the events of the driver, the connection pool. */
export function mongodbMeter(registers: Registry[]): MongodbMeter {
  const durations = durationHistogram(
    'animal_store_mongodb_operation_duration_seconds',
    'How long an operation on MongoDB took, in seconds. Some run in the background, or are retried.',
    ['operation', 'outcome'],
    registers,
  );
  const clients: ClientPools[] = [];
  const gauge = (name: string, help: string, sizeOf: (pool: Pool) => number): Gauge =>
    new Gauge({
      name: `animal_store_mongodb_pool_${name}`,
      help,
      registers,
      collect() {
        this.set(clients.flatMap((pools) => pools.all()).reduce((sum, pool) => sum + sizeOf(pool), 0));
      },
    });
  gauge(
    'connections',
    'Open connections of the pools to MongoDB, including those being opened.',
    ({ open, opening }) => open.size + opening.size,
  );
  gauge(
    'connections_in_use',
    'Connections of the pools to MongoDB on which an operation runs.',
    ({ inUse }) => inUse.size,
  );
  gauge('waiting', 'Operations that wait for a connection to MongoDB.', ({ checkOuts }) => checkOuts.length);
  const created = new Counter({
    name: 'animal_store_mongodb_pool_connections_created_total',
    help: 'Connections to MongoDB that were opened.',
    registers,
  });
  const closed = new Counter({
    name: 'animal_store_mongodb_pool_connections_closed_total',
    help: 'Connections to MongoDB that were closed, by the reason that the driver reports.',
    labelNames: ['reason'],
    registers,
  });
  const failed = new Counter({
    name: 'animal_store_mongodb_pool_checkouts_failed_total',
    help: 'Operations that got no connection to MongoDB, by the reason that the driver reports.',
    labelNames: ['reason'],
    registers,
  });
  return {
    onOperation({ name: operation, outcome, durationMs }) {
      durations.observe({ operation, outcome }, durationMs / 1000);
    },
    watchClient(client) {
      clients.push(new ClientPools(client));
      client.on('connectionCreated', () => created.inc());
      client.on('connectionClosed', ({ reason }) => closed.inc({ reason }));
      client.on('connectionCheckOutFailed', ({ reason }) => failed.inc({ reason }));
    },
  };
}

/** The state of one pool, according to the events of the driver. Connections are identified by their ids. */
interface Pool {
  readonly opening: Set<unknown>;
  readonly open: Set<unknown>;
  readonly inUse: Set<unknown>;
  /** When each waiting operation began to wait, the longest wait first. */
  checkOuts: number[];
}

/**
 * The pools of a client, by their addresses.
 *
 * The driver emits no event in two cases: if an operation is cancelled while it waits for a connection, and if a pool is cleared or
 * closed while a connection is opened for it. So an operation counts as waiting no longer than the driver lets it wait, and the
 * events of the pool end the other case.
 */
class ClientPools {
  readonly #pools = new Map<string, Pool>();
  readonly #longestWaitMs: number;

  constructor(client: MongoClient) {
    const { waitQueueTimeoutMS, connectTimeoutMS } = client.options;
    this.#longestWaitMs = waitQueueTimeoutMS || connectTimeoutMS;
    client.on('connectionCreated', ({ address, connectionId }) => this.#of(address).opening.add(connectionId));
    client.on('connectionReady', ({ address, connectionId }) => {
      this.#of(address).opening.delete(connectionId);
      this.#of(address).open.add(connectionId);
    });
    client.on('connectionClosed', ({ address, connectionId }) => {
      const { opening, open, inUse } = this.#of(address);
      for (const connections of [opening, open, inUse]) connections.delete(connectionId);
    });
    client.on('connectionCheckOutStarted', ({ address }) => this.#of(address).checkOuts.push(performance.now()));
    client.on('connectionCheckOutFailed', ({ address }) => this.#of(address).checkOuts.shift());
    client.on('connectionCheckedOut', ({ address, connectionId }) => {
      this.#of(address).checkOuts.shift();
      this.#of(address).inUse.add(connectionId);
    });
    client.on('connectionCheckedIn', ({ address, connectionId }) => this.#of(address).inUse.delete(connectionId));
    client.on('connectionPoolCleared', ({ address }) => this.#of(address).opening.clear());
    client.on('connectionPoolClosed', ({ address }) => this.#pools.delete(address));
  }

  all(): Pool[] {
    const longAgo = performance.now() - this.#longestWaitMs;
    const pools = [...this.#pools.values()];
    for (const pool of pools) pool.checkOuts = pool.checkOuts.filter((start) => start > longAgo);
    return pools;
  }

  #of(address: string): Pool {
    const pool = this.#pools.get(address) ?? { opening: new Set(), open: new Set(), inUse: new Set(), checkOuts: [] };
    this.#pools.set(address, pool);
    return pool;
  }
}
