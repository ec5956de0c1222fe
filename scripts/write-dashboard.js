/**
 * Writes the dashboard for Grafana. Run it after a change of the queries: `node scripts/write-dashboard.js`. A test compares the
 * file.
 *
 * Arguments: the file, by default `deploy/grafana/animal-store.json`.
 */
import { VizLegendOptionsBuilder } from '@grafana/grafana-foundation-sdk/common';
import { DashboardBuilder, DatasourceVariableBuilder } from '@grafana/grafana-foundation-sdk/dashboard';
import { DataqueryBuilder } from '@grafana/grafana-foundation-sdk/prometheus';
import { PanelBuilder } from '@grafana/grafana-foundation-sdk/timeseries';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const [target = fileURLToPath(new URL('../deploy/grafana/animal-store.json', import.meta.url))] = process.argv.slice(2);

/** The panels: title, unit, queries. Each process counts for itself: some queries sum over all processes, others have a line for each. */
const PANELS = [
  [
    'Requests a second, by operation and status',
    'reqps',
    'sum by (method, route, status) (rate(animal_store_http_request_duration_seconds_count[5m]))',
  ],
  [
    'The median response time and the 99th percentile, in seconds',
    's',
    'histogram_quantile(0.5, sum by (le, route) (rate(animal_store_http_request_duration_seconds_bucket[5m])))',
    'histogram_quantile(0.99, sum by (le, route) (rate(animal_store_http_request_duration_seconds_bucket[5m])))',
  ],
  [
    'The share of requests that fail through no fault of the client',
    'percentunit',
    '(sum(rate(animal_store_http_request_duration_seconds_count{status=~"5.."}[5m])) or vector(0)) / sum(rate(animal_store_http_request_duration_seconds_count[5m]))',
  ],
  ['Requests in flight', 'short', 'animal_store_http_requests_in_flight'],
  ['Refusals a second, by limit', 'short', 'sum by (limit) (rate(animal_store_http_refused_total[5m]))'],
  [
    'Calls to the store a second, by their outcome',
    'reqps',
    'sum by (operation, outcome) (rate(animal_store_store_operation_duration_seconds_count[5m]))',
  ],
  [
    'The 99th percentile of the time that a call to the store takes, in seconds',
    's',
    'histogram_quantile(0.99, sum by (le, operation) (rate(animal_store_store_operation_duration_seconds_bucket[5m])))',
  ],
  [
    'Operations a second that got no connection to MongoDB, by the reason',
    'short',
    'sum by (reason) (rate(animal_store_mongodb_pool_checkouts_failed_total[5m]))',
  ],
  [
    'The share of a processor that each process uses',
    'percentunit',
    'rate(process_cpu_seconds_total{job="animal-store"}[5m])',
  ],
  ['The memory of each process, in bytes', 'bytes', 'process_resident_memory_bytes{job="animal-store"}'],
  [
    'The share of its file descriptors that each process has open',
    'percentunit',
    'process_open_fds{job="animal-store"} / process_max_fds{job="animal-store"}',
  ],
  ['How late the event loop is, in seconds', 's', 'nodejs_eventloop_lag_p99_seconds{job="animal-store"}'],
  [
    'Calls to the deprecated operation a second, over a day',
    'short',
    'sum(rate(animal_store_http_request_duration_seconds_count{route=~".*/pets/:petId"}[1d]))',
  ],
];

const DATA_SOURCE = { type: 'prometheus', uid: '${datasource}' };

/** What a series is called in the legend: the labels that its query groups by, or else its instance. */
function legendOf(query) {
  const grouped = /\bby \(([^)]*)\)/.exec(query)?.[1]?.split(', ');
  const labels = grouped?.filter((label) => label !== 'le') ?? (/^\(?sum/.test(query) ? [] : ['instance']);
  const quantile = /^histogram_quantile\(([\d.]+)/.exec(query)?.[1];
  return [...labels.map((label) => `{{${label}}}`), ...(quantile === undefined ? [] : [`p${quantile * 100}`])].join(
    ' ',
  );
}

function panelOf([title, unit, ...queries]) {
  const panel = new PanelBuilder()
    .title(title)
    .span(12)
    .height(8)
    .min(0)
    .unit(unit)
    .datasource(DATA_SOURCE)
    .legend(new VizLegendOptionsBuilder().showLegend(true).displayMode('list').placement('bottom').calcs([]));
  queries.forEach((query, i) => {
    const refId = String.fromCharCode('A'.charCodeAt(0) + i);
    panel.withTarget(new DataqueryBuilder().refId(refId).expr(query).legendFormat(legendOf(query)).range());
  });
  return panel;
}

const dashboard = new DashboardBuilder('Animal Store')
  .uid('animal-store')
  .tags(['animal-store'])
  .refresh('1m')
  .time({ from: 'now-6h', to: 'now' })
  .withVariable(new DatasourceVariableBuilder('datasource').label('Data source').type('prometheus'));
for (const panel of PANELS) dashboard.withPanel(panelOf(panel));
writeFileSync(target, `${JSON.stringify(dashboard.build(), undefined, 2)}\n`);
