import { Counter, Gauge, type Registry } from 'prom-client';
import type { MongodbMeter } from '../modules/mongodb-module.js';
import { durationHistogram } from './duration-histogram.js';

/** Measures the operations on MongoDB, and the pool of connections by the events of the driver. */
export function mongodbMeter(registers: Registry[]): MongodbMeter {
  const durations = durationHistogram(
    'animal_store_mongodb_operation_duration_seconds',
    'How long an operation on MongoDB took, in seconds. Some run in the background, or are tried again.',
    ['operation', 'outcome'],
    registers,
  );
  const connections = new Gauge({
    name: 'animal_store_mongodb_pool_connections',
    help: 'Open connections of the pools to MongoDB, those that are being opened included.',
    registers,
  });
  const inUse = new Gauge({
    name: 'animal_store_mongodb_pool_connections_in_use',
    help: 'Connections of the pools to MongoDB on which an operation runs.',
    registers,
  });
  const waiting = new Gauge({
    name: 'animal_store_mongodb_pool_waiting',
    help: 'Operations that wait for a connection to MongoDB.',
    registers,
  });
  const created = new Counter({
    name: 'animal_store_mongodb_pool_connections_created_total',
    help: 'Connections to MongoDB that were opened.',
    registers,
  });
  const closed = new Counter({
    name: 'animal_store_mongodb_pool_connections_closed_total',
    help: 'Connections to MongoDB that were closed, by the reason that the driver tells.',
    labelNames: ['reason'],
    registers,
  });
  const failed = new Counter({
    name: 'animal_store_mongodb_pool_checkouts_failed_total',
    help: 'Operations that got no connection to MongoDB, by the reason that the driver tells.',
    labelNames: ['reason'],
    registers,
  });
  return {
    onOperation({ name: operation, outcome, durationMs }) {
      durations.observe({ operation, outcome }, durationMs / 1000);
    },
    watchClient(client) {
      client.on('connectionCreated', () => {
        connections.inc();
        created.inc();
      });
      client.on('connectionClosed', ({ reason }) => {
        connections.dec();
        closed.inc({ reason });
      });
      client.on('connectionCheckOutStarted', () => waiting.inc());
      client.on('connectionCheckOutFailed', ({ reason }) => {
        waiting.dec();
        failed.inc({ reason });
      });
      client.on('connectionCheckedOut', () => {
        waiting.dec();
        inUse.inc();
      });
      client.on('connectionCheckedIn', () => inUse.dec());
    },
  };
}
