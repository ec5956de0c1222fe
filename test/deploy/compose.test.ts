import { Ajv } from 'ajv';
import { expect } from 'chai';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { parseEnv } from 'node:util';
import { Script } from 'node:vm';
import { errorOfMongodbUrl } from '../../src/adapters/mongodb/client.js';
import { ROOT } from '../support/child.js';
import { onlyInstruction } from './dockerfile.js';
import { deployFile, deployYaml } from './known-settings.js';

/** What the tests read of a service; the schema checks the rest. */
interface Service {
  readonly command?: readonly string[];
  readonly logging?: { readonly options: object };
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly profiles?: readonly string[];
  readonly volumes?: readonly string[];
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: object;
}

const FOLDER = join(ROOT, 'deploy/compose');

/** The JSON schema of the Compose Specification, as dclint ships it. */
function composeSchema(): object {
  const folder = dirname(createRequire(import.meta.url).resolve('dclint/package.json'));
  const schema = JSON.parse(readFileSync(join(folder, 'schemas/compose.schema.json'), 'utf8')) as object;
  // The schema names its draft by an address that Ajv does not know.
  return { ...schema, $schema: 'http://json-schema.org/draft-07/schema#' };
}

for (const file of readdirSync(FOLDER).filter((name) => name.endsWith('.yaml'))) {
  const { services, volumes: declared } = deployYaml(`compose/${file}`) as Compose;
  const { 'animal-store': server = {}, prometheus, grafana } = services;

  describe(`deploy/compose/${file}`, () => {
    it('is valid by the Compose Specification', () => {
      const validate = new Ajv({ strict: false, allErrors: true, validateFormats: false }).compile(composeSchema());
      validate({ services, volumes: declared });
      expect(validate.errors ?? []).to.deep.equal([]);
    });

    it('builds the image of the repository', () => {
      expect(server).to.have.property('build').that.deep.equals({ context: '../..', dockerfile: 'deploy/Dockerfile' });
    });

    it('names files and volumes that are there', () => {
      for (const { volumes = [] } of Object.values(services)) {
        for (const source of volumes.map((volume) => volume.split(':')[0] ?? '')) {
          if (source.startsWith('.')) expect(existsSync(join(FOLDER, source)), source).to.equal(true);
          else expect(declared).to.have.property(source);
        }
      }
    });

    it('limits the size of each log', () => {
      for (const [name, { logging }] of Object.entries(services)) {
        expect(logging?.options, name).to.have.all.keys('max-size', 'max-file');
      }
    });

    it('can be reached from this machine only', () => {
      expect(server.ports).to.have.lengthOf(1);
      for (const { ports = [] } of Object.values(services)) {
        for (const port of ports) expect(port).to.match(/^127\.0\.0\.1:/);
      }
    });

    it('starts Prometheus and Grafana by the profile monitoring alone', () => {
      const inProfile = Object.keys(services).filter((name) => services[name]?.profiles?.includes('monitoring'));
      expect(inProfile).to.have.members(['prometheus', 'grafana']);
    });

    it('gives Prometheus its configuration, which names the alerts and the port of the metrics', () => {
      const {
        rule_files: [rules],
        scrape_configs: [
          {
            static_configs: [{ targets }],
          },
        ],
      } = deployYaml('prometheus/prometheus.yaml');
      expect(prometheus?.volumes).to.include.members([
        '../prometheus/prometheus.yaml:/etc/prometheus/prometheus.yml:ro',
        `../prometheus/rules.yaml:${rules}:ro`,
      ]);
      expect(targets).to.deep.equal([`animal-store:${server.environment?.['METRICS_PORT']}`]);
    });

    it('gives Grafana the dashboard where it looks for some, and Prometheus as its data source', () => {
      const {
        providers: [{ options }],
      } = deployYaml('grafana/provisioning/dashboards/animal-store.yaml');
      const {
        datasources: [source],
      } = deployYaml('grafana/provisioning/datasources/prometheus.yaml');
      expect(grafana?.volumes).to.include.members([
        '../grafana/provisioning:/etc/grafana/provisioning:ro',
        `../grafana/animal-store.json:${options.path}/animal-store.json:ro`,
      ]);
      expect(source).to.include({ type: 'prometheus', url: 'http://prometheus:9090' });
    });
  });
}

describe('the compose file on SQLite', () => {
  it('keeps the file in a volume that the user of the image may write to', () => {
    const { environment, volumes } = deployYaml('compose/compose.sqlite.yaml').services['animal-store'] as Service;
    expect(environment?.['STORE']).to.equal('sqlite');
    expect(volumes).to.deep.equal([`animals:${onlyInstruction('VOLUME').text}`]);
    expect(dirname(environment?.['SQLITE_FILE'] ?? '')).to.equal(onlyInstruction('VOLUME').text);
  });

  it('needs no environment file', () => {
    expect(deployFile('compose/compose.sqlite.yaml')).not.to.include('${');
  });
});

describe('the compose file on MongoDB', () => {
  const text = deployFile('compose/compose.yaml');
  const script = deployFile('compose/initiate.js');
  const { services } = deployYaml('compose/compose.yaml') as Compose;
  const url = services['animal-store']?.environment?.['MONGODB_URL'] ?? '';
  const [, user, password, hosts] = /^mongodb:\/\/([^:]+):(\$\{[^}]*\})@([^/]+)\/.*\breplicaSet=rs0\b/.exec(url) ?? [];

  it('refuses to start without a secret, and has each in its example of an environment file', () => {
    const asked = [...text.matchAll(/\$\{[^}]*\}/g)].map(([variable]) => variable);
    const known = Object.keys(parseEnv(deployFile('compose/.env.example')));
    expect([...new Set(asked)]).to.have.members(known.map((name) => `\${${name}:?set it in .env}`));
  });

  it('has a replica set of three members, which the URL and initiate.js name', () => {
    const members = Object.entries(services).filter(([, { command = [] }]) => command.includes('--replSet'));
    expect(members).to.have.lengthOf(3);
    expect(hosts).to.equal(members.map(([name]) => name).join());
    for (const [name, { command }] of members) {
      expect(script).to.include(`'${name}:27017'`);
      expect(command?.join(' ')).to.include('--replSet rs0').and.to.include('--keyFile');
    }
  });

  it('has a URL that the command accepts', () => {
    expect(errorOfMongodbUrl(url.replace(/\$\{[^}]*\}/, 'secret'))).to.equal(undefined);
  });

  it('passes the same password and user to the server and to initiate.js, which is well-formed', () => {
    expect(services['initiate']?.environment?.['USER_PASSWORD']).to.equal(password);
    expect(script).to.include(`user: '${user}'`);
    new Script(script, { filename: 'initiate.js' });
  });
});
