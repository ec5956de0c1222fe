/** Keeps traces in memory, for the test. */
import { InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { startTracing } from './start-tracing.js';

export const exporter = new InMemorySpanExporter();

startTracing(new SimpleSpanProcessor(exporter));
