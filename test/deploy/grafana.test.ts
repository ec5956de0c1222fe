import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { makeTemporaryFolder } from '../support/temporary-folder.js';
import { composeFile, type ComposeService } from './compose-files.js';
import { deployFile } from './known-settings.js';
import { GRAPHS } from './queries.js';

interface Dashboard {
  readonly uid: string;
  readonly templating: { readonly list: readonly { readonly name: string; readonly type: string }[] };
  readonly panels: readonly {
    readonly title: string;
    readonly datasource: { readonly type: string; readonly uid: string };
    readonly targets: readonly { readonly expr: string }[];
  }[];
}

interface Provisioning {
  readonly datasources: readonly { readonly type: string; readonly url: string }[];
  readonly providers: readonly { readonly options: { readonly path: string } }[];
}

const DASHBOARD = JSON.parse(deployFile('grafana/animal-store.json')) as Dashboard;

describe('the dashboard for Grafana', () => {
  it('is as scripts/write-dashboard.js writes it by the library of Grafana', () => {
    const file = join(makeTemporaryFolder(), 'dashboard.json');
    execFileSync(process.execPath, ['scripts/write-dashboard.js', file]);
    expect(readFileSync(file, 'utf8'), 'run node scripts/write-dashboard.js').to.equal(
      deployFile('grafana/animal-store.json'),
    );
  });

  it('has every query of the operating guide', () => {
    const queries = DASHBOARD.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
    expect(queries).to.have.members(GRAPHS);
  });

  it('has a different title for each panel', () => {
    const titles = DASHBOARD.panels.map(({ title }) => title);
    expect(new Set(titles)).to.have.lengthOf(titles.length);
  });

  it('names no data source, but lets the user choose one', () => {
    expect(DASHBOARD.templating.list).to.have.lengthOf(1);
    expect(DASHBOARD.templating.list[0]).to.include({ name: 'datasource', type: 'datasource' });
    for (const { datasource } of DASHBOARD.panels) {
      expect(datasource).to.deep.equal({ type: 'prometheus', uid: '${datasource}' });
    }
  });
});

for (const file of ['compose.yaml', 'compose.sqlite.yaml']) {
  describe(`the profile monitoring of deploy/compose/${file}`, () => {
    const { services } = composeFile(file);
    const { prometheus = {}, grafana = {}, 'animal-store': server = {} } = services;

    /** Where a service sees a file or a folder of deploy. */
    const mountOf = ({ volumes = [] }: ComposeService, source: string): string | undefined =>
      volumes.find((volume) => volume.startsWith(`../${source}:`))?.split(':')[1];

    it('starts Prometheus and Grafana, and neither without it', () => {
      const inProfile = Object.keys(services).filter((name) => services[name]?.profiles?.includes('monitoring'));
      expect(inProfile).to.have.members(['prometheus', 'grafana']);
    });

    it('has Prometheus ask the server at the port of its metrics', () => {
      const port = server.environment?.['METRICS_PORT'];
      expect(deployFile('prometheus/prometheus.yaml')).to.include(`['animal-store:${port}']`);
    });

    it('gives Prometheus the alerts where its configuration names them', () => {
      const { rule_files: rules } = parse(deployFile('prometheus/prometheus.yaml')) as {
        readonly rule_files: string[];
      };
      expect(rules).to.deep.equal([mountOf(prometheus, 'prometheus/rules.yaml')]);
      expect(mountOf(prometheus, 'prometheus/prometheus.yaml')).to.equal('/etc/prometheus/prometheus.yml');
    });

    it('gives Grafana the dashboard where it looks for some, and Prometheus as its data source', () => {
      const folder = 'grafana/provisioning';
      expect(mountOf(grafana, folder)).to.equal('/etc/grafana/provisioning');
      const { providers } = parse(deployFile(`${folder}/dashboards/animal-store.yaml`)) as Provisioning;
      const { datasources } = parse(deployFile(`${folder}/datasources/prometheus.yaml`)) as Provisioning;
      expect(mountOf(grafana, 'grafana/animal-store.json')).to.equal(`${providers[0]?.options.path}/animal-store.json`);
      expect(datasources[0]).to.include({ type: 'prometheus', url: 'http://prometheus:9090' });
    });
  });
}
