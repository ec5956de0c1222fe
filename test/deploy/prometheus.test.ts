import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { startCommand } from '../support/command.js';
import { needs } from '../support/needs.js';
import { request } from '../support/request.js';
import { makeTemporaryFolder } from '../support/temporary-folder.js';
import { deployFile, deployYaml } from './known-settings.js';
import { freePort, startListening } from './listening-program.js';

const KEY = 'a-key-of-more-than-16';

/** An alert of Prometheus. */
interface Rule {
  readonly alert: string;
  readonly labels: object;
  readonly annotations: object;
}

/** What makes each alert fire: series, each with its values a minute, and the labels of the alert. */
const FIRING: Readonly<Record<string, readonly [series: Readonly<Record<string, string>>, labels?: object]>> = {
  AnimalStoreDown: [{ 'up{job="animal-store",instance="a"}': '0x5 stale' }],
  AnimalStoreProcessDown: [{ 'up{job="animal-store",instance="a"}': '0x30' }, { job: 'animal-store', instance: 'a' }],
  AnimalStoreNotReady: [
    { 'animal_store_http_request_duration_seconds_count{route="/readyz",status="503",instance="a"}': '0+6x30' },
    { instance: 'a' },
  ],
  AnimalStoreInternalErrors: [
    { 'animal_store_http_request_duration_seconds_count{route="/v1/pets",status="500"}': '0+60x30' },
    { route: '/v1/pets' },
  ],
  AnimalStoreUnavailable: [
    {
      'animal_store_http_request_duration_seconds_count{route="/v1/pets",status="503"}': '0+2x30',
      'animal_store_http_request_duration_seconds_count{route="/v1/pets",status="200"}': '0+98x30',
    },
  ],
  AnimalStoreSlow: [
    {
      'animal_store_http_request_duration_seconds_bucket{route="/v1/pets",le="0.5"}': '0+98x30',
      'animal_store_http_request_duration_seconds_bucket{route="/v1/pets",le="1"}': '0+100x30',
      'animal_store_http_request_duration_seconds_bucket{route="/v1/pets",le="+Inf"}': '0+100x30',
    },
  ],
  AnimalStoreStoreFails: [
    { 'animal_store_store_operation_duration_seconds_count{operation="pets.add",outcome="failed"}': '0+1x30' },
    { operation: 'pets.add' },
  ],
  AnimalStoreLimitReached: [{ 'animal_store_http_refused_total{limit="unsent"}': '0+1x30' }, { limit: 'unsent' }],
  AnimalStoreEventLoopBlocked: [
    { 'nodejs_eventloop_lag_p99_seconds{job="animal-store"}': '0.3x30' },
    { job: 'animal-store' },
  ],
  AnimalStoreMongodbPoolExhausted: [{ 'animal_store_mongodb_pool_checkouts_failed_total{reason="timeout"}': '0+1x30' }],
  AnimalStoreDiskFull: [
    {
      'node_filesystem_avail_bytes{mountpoint="/var"}': '9x30',
      'node_filesystem_size_bytes{mountpoint="/var"}': '100x30',
    },
    { mountpoint: '/var' },
  ],
  AnimalStoreWalLarge: [{ animal_store_sqlite_wal_bytes: '300000000x30' }],
  AnimalStoreDescriptorsRunOut: [
    { 'process_open_fds{job="animal-store"}': '900x30', 'process_max_fds{job="animal-store"}': '1000x30' },
    { job: 'animal-store' },
  ],
  AnimalStoreLogLinesLost: [{ animal_store_log_lines_dropped_total: '0+1x30' }],
};

/** The queries of the dashboard. */
const GRAPHS = [...deployFile('grafana/animal-store.json').matchAll(/"expr": (".*")/g)].map(
  ([, text = '']) => JSON.parse(text) as string,
);

describe('Prometheus with the files of deploy', () => {
  let folder: string;
  let origin: string;

  before(async function () {
    needs(this, 'prometheus', ['--version']);
    needs(this, 'promtool', ['--version']);
    const server = await startCommand(['--metrics-port', '0'], { API_KEYS: `anna:${KEY}` });
    const metrics = await server.find(() => /^Metrics: http:\/\/(\S+)\/metrics$/m.exec(server.stdout)?.[1]);
    await request(server.port, 'GET', '/v1/pets', { key: KEY });
    await request(server.port, 'GET', '/v1/pets/7', { key: KEY });
    await request(server.port, 'POST', '/v1/pets', { key: KEY, body: `"${'x'.repeat(100_000)}"` });

    folder = makeTemporaryFolder();
    writeFileSync(join(folder, 'rules.yaml'), deployFile('prometheus/rules.yaml'));
    const file = join(folder, 'prometheus.yaml');
    const config = deployFile('prometheus/prometheus.yaml')
      .replace('animal-store:9464', metrics)
      .replace('/etc/prometheus/rules.yaml', join(folder, 'rules.yaml'))
      .replaceAll('_interval: 15s', '_interval: 1s');
    writeFileSync(file, config);
    const address = `127.0.0.1:${await freePort()}`;
    origin = `http://${address}`;
    const flags = ['--config.file', file, '--storage.tsdb.path', join(folder, 'data'), '--web.listen-address', address];
    const rate = 'sum(rate(process_cpu_seconds_total{job="animal-store"}[1m]))';
    await startListening('prometheus', flags, async () => (await ask(rate)).length === 1);
  });

  /** What the API answers under a path. */
  async function get(path: string) {
    const { status, data } = JSON.parse(await (await fetch(`${origin}/api/v1/${path}`)).text());
    expect(status, path).to.equal('success');
    return data;
  }

  /** The series that a query gives. */
  async function ask(query: string): Promise<readonly unknown[]> {
    return (await get(`query?${new URLSearchParams({ query }).toString()}`)).result;
  }

  it('raises each alert when it should, and not without a cause, as promtool judges', () => {
    const rules = (deployYaml('prometheus/rules.yaml').groups as { readonly rules: readonly Rule[] }[]).flatMap(
      (group) => group.rules,
    );
    expect(FIRING, 'an alert has its cause here').to.have.all.keys(rules.map(({ alert }) => alert));
    /** A test that an alert fires, or does not, after 20 minutes of its series with these values. */
    const testOf = ({ alert, labels, annotations }: Rule, fires: boolean): object => {
      const [series, own] = FIRING[alert] ?? [{}];
      const harmless = alert.endsWith('Down') ? '1x30' : '0x30';
      const expected = fires ? [{ exp_labels: { ...labels, ...own }, exp_annotations: annotations }] : [];
      return {
        interval: '1m',
        input_series: Object.entries(series).map(([name, values]) => ({
          series: name,
          values: fires ? values : harmless,
        })),
        alert_rule_test: [{ eval_time: '20m', alertname: alert, exp_alerts: expected }],
      };
    };
    const tests = rules.flatMap((rule) => [testOf(rule, true), testOf(rule, false)]);
    writeFileSync(join(folder, 'tests.yaml'), stringify({ rule_files: ['rules.yaml'], tests }));
    execFileSync('promtool', ['test', 'rules', 'tests.yaml'], { cwd: folder, stdio: 'pipe' });
  });

  it('answers every query of the graphs, with data but of MongoDB', async () => {
    for (const query of GRAPHS) {
      const series = await ask(query);
      if (!query.includes('_mongodb_')) expect(series, query).not.to.have.lengthOf(0);
    }
    const names = GRAPHS.join('\n').matchAll(/animal_store_mongodb_\w+?(?=_bucket|_count|_sum|\b)/g);
    expect(await get('metadata')).to.include.all.keys([...names].map(([name]) => name));
  });

  it('has each series that makes an alert fire, with its labels, but of other stores and exporters', async () => {
    for (const [alert, [series]] of Object.entries(FIRING)) {
      for (const [name = '', labels = ''] of Object.keys(series).map((each) => each.split('{', 2))) {
        if (/^node_|_mongodb_|_sqlite_/.test(name)) continue;
        const names = [...labels.matchAll(/(\w+)=/g)].map(([, label = '']) => `${label}!=""`);
        expect(await ask(`${name}{${names.join()}}`), `${alert}: ${name}`).not.to.have.lengthOf(0);
      }
    }
  });
});
