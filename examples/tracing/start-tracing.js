import { registerInstrumentations } from '@opentelemetry/instrumentation';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { MongoDBInstrumentation } from '@opentelemetry/instrumentation-mongodb';
import { PinoInstrumentation } from '@opentelemetry/instrumentation-pino';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { register } from 'node:module';

/**
 * Starts the instrumentations of http, mongodb and pino. Call it before these modules are loaded, in a file that `--import`
 * names.
 *
 * @param {import('@opentelemetry/sdk-trace-node').SpanProcessor} spanProcessor
 */
export function startTracing(spanProcessor) {
  // Modules that are imported, rather than required, can only be instrumented by this hook.
  register('@opentelemetry/instrumentation/hook.mjs', import.meta.url);
  registerInstrumentations({
    instrumentations: [
      new HttpInstrumentation(),
      new MongoDBInstrumentation(),
      // Adds trace_id, span_id and trace_flags to each line of the log, and sends the log nowhere else.
      new PinoInstrumentation({ disableLogSending: true }),
    ],
  });
  const name = process.env['OTEL_SERVICE_NAME'] ?? 'animal-store';
  const resource = defaultResource().merge(resourceFromAttributes({ 'service.name': name }));
  new NodeTracerProvider({ resource, spanProcessors: [spanProcessor] }).register();
}
