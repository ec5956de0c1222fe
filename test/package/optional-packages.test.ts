import { expect } from 'chai';
import { dirname } from 'node:path';
import type { Environment } from '../support/child.js';
import { HAS_SQLITE } from '../support/sqlite.js';
import { CLI, DEPENDENCIES, ENTRIES, makeProject, OPTIONAL_PACKAGES, serveIn, succeed, write } from './project.js';

const MONGODB_URL = 'mongodb://127.0.0.1:9/animals';
const POSTGRES_URL = 'postgres://127.0.0.1:9/animals';

/** What needs an optional package: the arguments, the environment, and the error. */
const NEEDS: readonly (readonly [args: string, env: Environment, error: string])[] = [
  ['serve --store mongodb', { MONGODB_URL }, 'MONGODB_URL needs the package mongodb: npm install mongodb@7'],
  ['keys list', { MONGODB_URL }, 'MONGODB_URL needs the package mongodb: npm install mongodb@7'],
  ['serve --store postgres', { POSTGRES_URL }, 'POSTGRES_URL needs the package pg: npm install pg@8'],
  ['serve --metrics-port 0', {}, '--metrics-port needs the package prom-client: npm install prom-client@15'],
  [
    'serve --rate-limit 1/s',
    {},
    '--rate-limit needs the package rate-limiter-flexible: npm install rate-limiter-flexible@11',
  ],
  ['import a.csv --dry-run', {}, 'an import of CSV needs the package csv-parse: npm install csv-parse@7'],
];

/** The drivers that entry points need. */
const DRIVERS: Readonly<Record<string, string>> = {
  'animal-store/mongodb': 'mongodb',
  'animal-store/postgres': 'pg',
};

describe('the packed package as npm installs it, without the optional packages', () => {
  let project: string;

  before(() => {
    project = makeProject(DEPENDENCIES);
  });

  /** What a module with this text prints, as JSON. */
  function printedBy(text: string): unknown {
    write(project, 'main.mjs', text);
    return JSON.parse(succeed(project, process.execPath, ['main.mjs']));
  }

  it('loads every entry point but those of databases, which name what they need', () => {
    const text = `
      const outcomes = {};
      for (const entry of ${JSON.stringify(ENTRIES)})
        outcomes[entry] = await import(entry).then(() => 'loaded', ({ message }) => message);
      console.log(JSON.stringify(outcomes));`;
    for (const [entry, outcome] of Object.entries(printedBy(text) as Readonly<Record<string, string>>)) {
      const driver = DRIVERS[entry];
      if (driver !== undefined) expect(outcome).to.include(`Cannot find package '${driver}'`);
      else if (entry !== 'animal-store/sqlite' || HAS_SQLITE) expect(outcome, entry).to.equal('loaded');
    }
  });

  it('serves animals from memory by the command', async () => {
    const { listPets } = await serveIn(project);
    expect(await listPets()).to.deep.include({ status: 200, text: '[]' });
  });

  it('names the command that installs what an invocation needs', () => {
    const errors = printedBy(`import { run } from './${dirname(CLI)}/commands/run.js';
      const errors = [];
      for (const [args, env] of ${JSON.stringify(NEEDS)}) {
        for (const name of ['MONGODB_URL', 'POSTGRES_URL']) delete process.env[name];
        Object.assign(process.env, env);
        errors.push(await run(args.split(' ')).catch(({ message }) => message));
      }
      console.log(JSON.stringify(errors));`);
    expect(errors).to.deep.equal(NEEDS.map(([, , error]) => error));
    for (const name of OPTIONAL_PACKAGES) expect(NEEDS.map(([, , error]) => error).join()).to.include(` ${name}@`);
  });

  it('runs no script when it is installed', () => {
    const manifest = succeed(project, 'cat', ['node_modules/animal-store/package.json']);
    const { scripts } = JSON.parse(manifest) as { scripts: object };
    expect(scripts).not.to.have.any.keys('preinstall', 'install', 'postinstall', 'prepare');
  });
});
