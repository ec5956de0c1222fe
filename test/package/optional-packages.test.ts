import { expect } from 'chai';
import { join } from 'node:path';
import { Child, type Environment } from '../support/child.js';
import { listening } from '../support/command.js';
import { request } from '../support/request.js';
import { HAS_SQLITE } from '../support/sqlite.js';
import { DEPENDENCIES, ENTRIES, makeProject, MANIFEST, OPTIONAL_PACKAGES, run, succeed, write } from './project.js';

/** The entry points that need an optional package. */
const NEEDED = { 'animal-store/mongodb': 'mongodb', 'animal-store/proxies': 'forwarded-parse' } as const;
const LOADABLE = ENTRIES.filter((entry) => !(entry in NEEDED) && (HAS_SQLITE || entry !== 'animal-store/sqlite'));
const MONGODB_URL = 'mongodb://127.0.0.1:9/animals';

/** What needs an optional package: the arguments, the environment, and the error. */
const NEEDS: readonly (readonly [args: string, env: Environment, error: string])[] = [
  ['serve --store mongodb', { MONGODB_URL }, 'MONGODB_URL needs the package mongodb: npm install mongodb@7'],
  ['keys list', { MONGODB_URL }, 'MONGODB_URL needs the package mongodb: npm install mongodb@7'],
  ['migrate', { MONGODB_URL }, 'MONGODB_URL needs the package mongodb: npm install mongodb@7'],
  ['serve --metrics-port 0', {}, '--metrics-port needs the package prom-client: npm install prom-client@15'],
  [
    'serve --rate-limit 1/s',
    {},
    '--rate-limit needs the package rate-limiter-flexible: npm install rate-limiter-flexible@11',
  ],
  [
    'serve --trust-proxy loopback',
    {},
    '--trust-proxy needs the package forwarded-parse: npm install forwarded-parse@2',
  ],
  ['import a.csv --dry-run', {}, 'an import of CSV needs the package csv-parse: npm install csv-parse@7'],
  ['openapi --yaml', {}, '--yaml needs the package yaml: npm install yaml@2'],
];

describe('the packed package as npm installs it, without the optional packages', function () {
  this.timeout(180_000);
  let project: string;
  let cli: string;

  before(() => {
    project = makeProject(DEPENDENCIES);
    cli = join(project, 'node_modules/animal-store', MANIFEST.bin['animal-store'] as string);
  });

  for (const entry of LOADABLE) {
    it(`loads ${entry}`, () => {
      write(project, 'load.mjs', `import * as all from '${entry}'; console.log(Object.keys(all).length > 0);`);
      expect(succeed(project, process.execPath, ['load.mjs'])).to.equal('true\n');
    });
  }

  for (const [entry, name] of Object.entries(NEEDED)) {
    it(`names ${name} if ${entry} is imported`, () => {
      write(project, 'load.mjs', `import '${entry}';`);
      const { status, stderr } = run(project, process.execPath, ['load.mjs']);
      expect(status).to.equal(1);
      expect(stderr).to.include(`Cannot find package '${name}'`);
    });
  }

  it('rejects the loading of mongodbModule with the command that installs mongodb', () => {
    const script = `import { createContainer, mongodbModule } from 'animal-store/bootstrap';
      await createContainer(mongodbModule({ url: '${MONGODB_URL}' })).catch(({ errors }) => console.log(errors[0]));`;
    write(project, 'module.mjs', script);
    const expected = 'mongodbModule needs the package mongodb: npm install mongodb@7\n';
    expect(succeed(project, process.execPath, ['module.mjs'])).to.equal(expected);
  });

  it('serves animals from memory by the command', async () => {
    const server = Child.start(process.execPath, [cli, 'serve', '--port', '0']);
    const { port } = await listening(server);
    const key = /^API key for this run: (\S+)$/m.exec(server.stdout)?.[1] ?? '';
    expect(await request(port, 'GET', '/v1/pets', { key })).to.deep.include({ status: 200, text: '[]' });
    await server.stop();
  });

  for (const [args, env, error] of NEEDS) {
    it(`names the command that installs what animal-store ${args} needs, and ends with exit code 2`, () => {
      const { status, stdout, stderr } = run(project, process.execPath, [cli, ...args.split(' ')], env);
      expect({ status, stdout }).to.deep.equal({ status: 2, stdout: '' });
      expect(stderr).to.equal(`animal-store: invalid configuration (1 error):\n  ${error}\n`);
    });
  }

  it('is told of each optional package by a test above', () => {
    for (const name of OPTIONAL_PACKAGES) expect(NEEDS.map(([, , error]) => error).join()).to.include(` ${name}@`);
  });

  it('runs no script when it is installed', () => {
    const manifest = succeed(project, 'cat', ['node_modules/animal-store/package.json']);
    const { scripts } = JSON.parse(manifest) as { scripts: object };
    expect(scripts).not.to.have.any.keys('preinstall', 'install', 'postinstall', 'prepare');
  });
});
