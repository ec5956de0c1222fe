import { expect } from 'chai';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseEnv } from 'node:util';
import { Script } from 'node:vm';
import { errorOfMongodbUrl } from '../../src/adapters/mongodb/client.js';
import { hostsOf } from '../../src/adapters/postgres/hosts.js';
import { succeed } from '../package/project.js';
import { ROOT } from '../support/child.js';
import { textOf } from './dockerfile.js';
import { deployFile, deployYaml } from './known-settings.js';

/** What the tests read of a service; dclint checks the rest. */
interface Service {
  readonly command?: readonly string[];
  readonly logging?: { readonly options: object };
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: object;
}

const FOLDER = join(ROOT, 'deploy/compose');
/** The image has no tag, as it is built. */
const DISABLED = ['no-build-and-image', 'service-image-require-explicit-tag'];

describe('the compose files', () => {
  it('have no error by the Compose Specification, and none that dclint finds', () => {
    const dclint = join(ROOT, 'node_modules/.bin/dclint');
    succeed(ROOT, dclint, [FOLDER, '--quiet', ...DISABLED.flatMap((rule) => ['--disable-rule', rule])]);
  });

  for (const file of readdirSync(FOLDER).filter((name) => name.endsWith('.yaml'))) {
    const { services, volumes: declared } = deployYaml(`compose/${file}`) as Compose;

    it(`name files and volumes that are there: ${file}`, () => {
      for (const { volumes = [] } of Object.values(services)) {
        for (const source of volumes.map((volume) => volume.split(':')[0] ?? '')) {
          if (source.startsWith('.')) expect(existsSync(join(FOLDER, source)), source).to.equal(true);
          else expect(declared).to.have.property(source);
        }
      }
    });

    it(`limit the size of each log, and publish ports on this machine only: ${file}`, () => {
      for (const [name, { logging, ports = [] }] of Object.entries(services)) {
        expect(logging?.options, name).to.have.all.keys('max-size', 'max-file');
        for (const port of ports) expect(port).to.match(/^127\.0\.0\.1:/);
      }
    });

    it(`mount the configurations of Prometheus and Grafana where these name each other: ${file}`, () => {
      const prometheus = deployYaml('prometheus/prometheus.yaml');
      const { providers } = deployYaml('grafana/provisioning/dashboards/animal-store.yaml');
      const { datasources } = deployYaml('grafana/provisioning/datasources/prometheus.yaml');
      expect(services['prometheus']?.volumes).to.include.members([
        '../prometheus/prometheus.yaml:/etc/prometheus/prometheus.yml:ro',
        `../prometheus/rules.yaml:${prometheus.rule_files[0]}:ro`,
      ]);
      expect(prometheus.scrape_configs[0].static_configs[0].targets).to.deep.equal([
        `animal-store:${services['animal-store']?.environment?.['METRICS_PORT']}`,
      ]);
      expect(services['grafana']?.volumes).to.include.members([
        '../grafana/provisioning:/etc/grafana/provisioning:ro',
        `../grafana/animal-store.json:${providers[0].options.path}/animal-store.json:ro`,
      ]);
      expect(datasources[0]).to.include({ type: 'prometheus', url: 'http://prometheus:9090' });
    });
  }

  it('keep the file of SQLite in a volume that the user of the image may write to', () => {
    const { environment, volumes } = deployYaml('compose/compose.sqlite.yaml').services['animal-store'] as Service;
    expect(volumes).to.deep.equal([`animals:${textOf('VOLUME')}`]);
    expect(dirname(environment?.['SQLITE_FILE'] ?? '')).to.equal(textOf('VOLUME'));
  });

  it('refuse to start without a secret, and have each in the example of an environment file', () => {
    const texts = ['compose.yaml', 'compose.postgres.yaml'].map((file) => deployFile(`compose/${file}`));
    const asked = [...texts.join('').matchAll(/\$\{[^}]*\}/g)].map(([variable]) => variable);
    const known = Object.keys(parseEnv(deployFile('compose/.env.example')));
    expect([...new Set(asked)]).to.have.members(known.map((name) => `\${${name}:?set it in .env}`));
  });

  it('have a primary that waits for the standby, and a URL with both, the user and the password that initiate.sh makes', () => {
    const { services } = deployYaml('compose/compose.postgres.yaml') as Compose;
    const { primary, standby } = services;
    const url = services['animal-store']?.environment?.['POSTGRES_URL'] ?? '';
    const password = primary?.environment?.['USER_PASSWORD'] ?? 'none';
    expect(url).to.include(`://animal_store:${password}@primary,standby/animal_store`);
    expect(hostsOf(url.replace(password, 'secret'))).to.have.lengthOf(2);
    expect(primary?.command?.join(' ')).to.include('synchronous_standby_names=standby');
    expect(standby?.command?.join(' ')).to.include('cluster_name=standby');
    expect(standby?.environment?.['PGPASSWORD']).to.equal(primary?.environment?.['STANDBY_PASSWORD']);
    const script = deployFile('compose/initiate.sh');
    for (const sql of ['CREATE ROLE animal_store LOGIN', 'CREATE DATABASE animal_store OWNER animal_store']) {
      expect(script).to.include(sql);
    }
  });

  describe('on MongoDB', () => {
    const script = deployFile('compose/initiate.js');
    const { services } = deployYaml('compose/compose.yaml') as Compose;
    const url = services['animal-store']?.environment?.['MONGODB_URL'] ?? '';
    const [, user, password, hosts] =
      /^mongodb:\/\/([^:]+):(\$\{[^}]*\})@([^/]+)\/.*\breplicaSet=rs0\b/.exec(url) ?? [];

    it('start the three members that the URL and initiate.js name', () => {
      const members = Object.entries(services).filter(([, { command = [] }]) => command.includes('--replSet'));
      expect(members).to.have.lengthOf(3);
      expect(hosts).to.equal(members.map(([name]) => name).join());
      for (const [name] of members) expect(script).to.include(`'${name}:27017'`);
    });

    it('have a URL that the command accepts, with the user and the password of initiate.js, which is well-formed', () => {
      expect(errorOfMongodbUrl(url.replace(/\$\{[^}]*\}/, 'secret'))).to.equal(undefined);
      expect(services['initiate']?.environment?.['USER_PASSWORD']).to.equal(password);
      expect(script).to.include(`user: '${user}'`);
      new Script(script, { filename: 'initiate.js' });
    });
  });
});
