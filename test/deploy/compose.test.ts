import { Ajv } from 'ajv';
import { expect } from 'chai';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { parseEnv } from 'node:util';
import { Script } from 'node:vm';
import { errorOfMongodbUrl } from '../../src/adapters/mongodb/mongodb-url.js';
import { ROOT } from '../support/child.js';
import { COMPOSE_FILES, composeFile } from './compose-files.js';
import { onlyInstruction } from './dockerfile.js';
import { deployFile } from './known-settings.js';

const FOLDER = join(ROOT, 'deploy/compose');
const TEXT = deployFile('compose/compose.yaml');
const COMPOSE = composeFile('compose.yaml');
const SERVICES = Object.entries(COMPOSE.services);
const SERVER = COMPOSE.services['animal-store'] ?? {};
const URL = SERVER.environment?.['MONGODB_URL'] ?? '';
const MEMBERS = SERVICES.filter(([, { command = [] }]) => command.includes('--replSet'));

/** The JSON schema of the Compose Specification, as dclint ships it. */
function composeSchema(): object {
  const folder = dirname(createRequire(import.meta.url).resolve('dclint/package.json'));
  const schema = JSON.parse(readFileSync(join(folder, 'schemas/compose.schema.json'), 'utf8')) as object;
  // The schema names its draft by an address that Ajv does not know.
  return { ...schema, $schema: 'http://json-schema.org/draft-07/schema#' };
}

for (const file of COMPOSE_FILES) {
  const { services, volumes: declared } = composeFile(file);
  const server = services['animal-store'] ?? {};

  describe(`deploy/compose/${file}`, () => {
    it('is valid by the Compose Specification', () => {
      const validate = new Ajv({ strict: false, allErrors: true, validateFormats: false }).compile(composeSchema());
      validate({ services, volumes: declared });
      expect(validate.errors ?? []).to.deep.equal([]);
    });

    it('names files and volumes that are there', () => {
      const { context = '', dockerfile = '' } = server.build ?? {};
      expect(existsSync(join(FOLDER, context, dockerfile))).to.equal(true);
      expect(existsSync(join(FOLDER, context, 'package.json'))).to.equal(true);
      for (const { volumes = [] } of Object.values(services)) {
        for (const source of volumes.map((volume) => volume.split(':')[0] ?? '')) {
          if (source.startsWith('.')) expect(existsSync(join(FOLDER, source)), source).to.equal(true);
          else expect(declared).to.have.property(source);
        }
      }
    });

    it('can be reached from this machine only', () => {
      expect(server.ports).to.have.lengthOf(1);
      for (const { ports = [] } of Object.values(services)) {
        for (const port of ports) expect(port).to.match(/^127\.0\.0\.1:/);
      }
    });
  });
}

describe('the compose file on SQLite', () => {
  const text = deployFile('compose/compose.sqlite.yaml');
  const { environment = {}, volumes = [] } = composeFile('compose.sqlite.yaml').services['animal-store'] ?? {};

  it('keeps the file in a volume that the user of the image may write to', () => {
    expect(environment['STORE']).to.equal('sqlite');
    const [, target = ''] = volumes[0]?.split(':') ?? [];
    expect(target).to.equal(onlyInstruction('VOLUME').text);
    expect(dirname(environment['SQLITE_FILE'] ?? '')).to.equal(target);
  });

  it('needs no environment file', () => {
    expect(text).not.to.include('${');
  });
});

describe('the compose file on MongoDB', () => {
  it('asks for no variable that its example of an environment file lacks, and for each of those', () => {
    const asked = new Set([...TEXT.matchAll(/\$\{([A-Z_]+)/g)].map(([, name]) => name));
    expect([...asked]).to.have.members(Object.keys(parseEnv(deployFile('compose/.env.example'))));
  });

  it('refuses to start without a secret', () => {
    for (const [variable] of TEXT.matchAll(/\$\{[^}]*\}/g))
      expect(variable).to.match(/^\$\{[A-Z_]+:\?set it in \.env\}$/);
  });

  it('has a replica set of three members, which the URL and initiate.js name', () => {
    const names = MEMBERS.map(([name]) => name);
    expect(names).to.have.lengthOf(3);
    expect(URL)
      .to.include(`@${names.join(',')}/`)
      .and.to.include('replicaSet=rs0');
    for (const [name, { command }] of MEMBERS) {
      expect(deployFile('compose/initiate.js')).to.include(`'${name}:27017'`);
      expect(command?.join(' ')).to.include('--replSet rs0').and.to.include('--keyFile');
    }
  });

  it('has a URL that the command accepts', () => {
    expect(errorOfMongodbUrl(URL.replace(/\$\{[^}]*\}/, 'secret'))).to.equal(undefined);
  });

  it('passes the same password and user to the server and to initiate.js', () => {
    const [, user, variable] = /^mongodb:\/\/([^:]+):(\$\{[^}]*\})@/.exec(URL) ?? [];
    expect(COMPOSE.services['initiate']?.environment?.['USER_PASSWORD']).to.equal(variable);
    expect(deployFile('compose/initiate.js')).to.include(`user: '${user}'`);
  });

  it('runs a script that is well-formed', () => {
    new Script(deployFile('compose/initiate.js'), { filename: 'initiate.js' });
  });
});
