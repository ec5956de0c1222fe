/** Sends traces to an OpenTelemetry collector: `node --import ./tracing.js …`. */
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { BatchSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { startTracing } from './start-tracing.js';

const processor = new BatchSpanProcessor(new OTLPTraceExporter());
startTracing(processor);

// When the server has shut down, send what is left. The process ends a second later at the latest.
process.once('beforeExit', () => void processor.forceFlush());
