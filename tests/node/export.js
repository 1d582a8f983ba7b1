// Sends two spans with a span event, two log records and three metrics with the exporters of one protocol ("http" for
// JSON, "proto" for protobuf), to the endpoint of OTEL_EXPORTER_OTLP_ENDPOINT.
import { SpanKind, SpanStatusCode, context, trace } from '@opentelemetry/api';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { LoggerProvider, SimpleLogRecordProcessor } from '@opentelemetry/sdk-logs';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { TracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace';

const [protocol, compression] = process.argv.slice(2);
const [{ OTLPTraceExporter }, { OTLPLogExporter }, { OTLPMetricExporter }] = await Promise.all(
  ['trace', 'logs', 'metrics'].map((signal) => import(`@opentelemetry/exporter-${signal}-otlp-${protocol}`)),
);
const resource = resourceFromAttributes({ 'service.name': 'node-shop', pid: process.pid });
const options = { compression };

const traces = new TracerProvider({ resource, spanProcessors: [new SimpleSpanProcessor({ exporter: new OTLPTraceExporter(options) })] });
const tracer = traces.getTracer('tests');
const parent = tracer.startSpan('GET /cart', { kind: SpanKind.SERVER, attributes: { 'user.id': 'ann', big: 2 ** 53 - 1 } });
parent.addEvent('cache.miss', { key: 'cart' });
const child = tracer.startSpan('SELECT', { attributes: { tags: ['a', 'b'] } }, trace.setSpan(context.active(), parent));
child.setStatus({ code: SpanStatusCode.ERROR, message: 'late' });
child.end();
parent.end();

const logs = new LoggerProvider({ resource, processors: [new SimpleLogRecordProcessor({ exporter: new OTLPLogExporter(options) })] });
logs.getLogger('tests').emit({ severityText: 'WARN', body: { message: 'slow', ms: 900 }, attributes: { 'enduser.id': 'ben' } });
logs.getLogger('tests').emit({ severityNumber: 9, body: 'text' });

const reader = new PeriodicExportingMetricReader({ exporter: new OTLPMetricExporter(options), exportIntervalMillis: 3_600_000 });
const metrics = new MeterProvider({ resource, readers: [reader] });
const meter = metrics.getMeter('tests');
meter.createCounter('orders').add(3, { 'user.id': 'ann' });
meter.createGauge('load').record(0.5);
const latency = meter.createHistogram('latency', { unit: 'ms' });
for (const value of [1, 4, 20, 300]) latency.record(value);

for (const provider of [traces, logs, metrics]) await provider.shutdown(); // which sends what waits
console.log(JSON.stringify({ traceId: parent.spanContext().traceId, parent: parent.spanContext().spanId, child: child.spanContext().spanId }));
