/**
 * Writes the dashboard for Grafana: a panel for each block of queries in `docs/operating.md`, whose title is the sentence before
 * the block. Run it after a change of the queries: `node scripts/write-dashboard.js`. A test compares the file.
 *
 * Arguments: the file, by default `deploy/grafana/animal-store.json`.
 */
import { VizLegendOptionsBuilder } from '@grafana/grafana-foundation-sdk/common';
import { DashboardBuilder, DatasourceVariableBuilder } from '@grafana/grafana-foundation-sdk/dashboard';
import { DataqueryBuilder } from '@grafana/grafana-foundation-sdk/prometheus';
import { PanelBuilder } from '@grafana/grafana-foundation-sdk/timeseries';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const pathOf = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const [target = pathOf('deploy/grafana/animal-store.json')] = process.argv.slice(2);

/** The units of the queries, by what is in them; the first that matches counts. */
const UNITS = [
  [/_seconds_bucket|lag_p99_seconds/, 's'],
  [/_bytes\b/, 'bytes'],
  [/cpu_seconds/, 'percentunit'],
  [/ \/ /, 'percentunit'],
  [/^sum.*_count\[/, 'reqps'],
];
const DATA_SOURCE = { type: 'prometheus', uid: '${datasource}' };

/** The sentence before each block of queries, and its queries. */
function blocksOf(markdown) {
  const blocks = [...markdown.matchAll(/^(?<sentence>[^\n]+):\n\n```promql\n(?<queries>.*?)\n```$/gms)];
  if (blocks.length !== markdown.match(/```promql/g).length)
    throw new Error('a block has no sentence that ends with a colon');
  return blocks.map(({ groups }) => [groups.sentence.split('. ').at(-1), groups.queries.split('\n')]);
}

/** What a series is called in the legend: the labels that its query groups by, or else its instance. */
function legendOf(query) {
  const grouped = /\bby \(([^)]*)\)/.exec(query)?.[1]?.split(', ');
  const labels = grouped?.filter((label) => label !== 'le') ?? (/^\(?sum/.test(query) ? [] : ['instance']);
  const quantile = /^histogram_quantile\(([\d.]+)/.exec(query)?.[1];
  return [...labels.map((label) => `{{${label}}}`), ...(quantile === undefined ? [] : [`p${quantile * 100}`])].join(
    ' ',
  );
}

function unitOf(query) {
  return UNITS.find(([pattern]) => pattern.test(query))?.[1] ?? 'short';
}

/** The panel of a block, whose queries have the same unit. */
function panelOf([sentence, queries]) {
  const panel = new PanelBuilder()
    .title(sentence)
    .span(12)
    .height(8)
    .min(0)
    .unit(unitOf(queries[0]))
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
for (const block of blocksOf(readFileSync(pathOf('docs/operating.md'), 'utf8'))) dashboard.withPanel(panelOf(block));
writeFileSync(target, `${JSON.stringify(dashboard.build(), undefined, 2)}\n`);
