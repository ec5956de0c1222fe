import { Counter, type Registry } from 'prom-client';
import type { MongoClient } from '../../adapters/mongodb/client.js';
import type { MongodbMeter } from '../modules/mongodb-module.js';
import { durationHistogram } from './duration-histogram.js';

/** Measures the operations on MongoDB, and counts events of the driver's connection pools. */
export function mongodbMeter(registers: Registry[]): MongodbMeter {
  const durations = durationHistogram(
    'animal_store_mongodb_operation_duration_seconds',
    'How long an operation on MongoDB took, in seconds. Some run in the background, or are retried.',
    ['operation', 'outcome'],
    registers,
  );
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
    watchClient(client: MongoClient) {
      client.on('connectionCreated', () => created.inc());
      client.on('connectionClosed', ({ reason }) => closed.inc({ reason }));
      client.on('connectionCheckOutFailed', ({ reason }) => failed.inc({ reason }));
    },
  };
}
