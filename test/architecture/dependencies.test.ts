import { expect } from 'chai';
import { cruise } from 'dependency-cruiser';
import extractDepcruiseConfig from 'dependency-cruiser/config-utl/extract-depcruise-config';
import { appendFile, cp, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ROOT } from '../support/child.js';
import { makeTemporaryFolder } from '../support/temporary-folder.js';

/** The imports below a folder that break a rule of `.dependency-cruiser.cjs`, and how many imports there are. */
interface Cruise {
  /** One line each: `<rule>: <from> → <to>`. */
  readonly violations: readonly string[];
  readonly dependencies: number;
}

const FOLDERS = ['src', 'test/contracts'];

/** Checks the imports of the sources and the contract suites below `baseDir` by the repository's rules. */
async function cruiseByTheRules(baseDir: string): Promise<Cruise> {
  const { forbidden = [], options = {} } = await extractDepcruiseConfig(`${ROOT}.dependency-cruiser.cjs`);
  const { output } = await cruise(FOLDERS, { ...options, baseDir, validate: true, ruleSet: { forbidden } });
  if (typeof output === 'string') throw new TypeError('the cruise gave text where its result was asked for');
  return {
    violations: output.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`),
    dependencies: output.summary.totalDependenciesCruised ?? 0,
  };
}

/** A forbidden import for each rule, as the rules of packages are one: the rule that it breaks, the importing file, the import. */
const FORBIDDEN: readonly (readonly [rule: string, from: string, statement: string])[] = [
  ['domain-is-pure', 'src/domain/a.ts', `import '../application/animal-store.js';`],
  ['domain-is-pure', 'src/domain/c.ts', `import type Koa from 'koa'; export type App = Koa;`],
  [
    'application-imports-domain-only',
    'src/application/a.ts',
    `import '../adapters/in-memory/in-memory-pet-catalogue.js';`,
  ],
  ['no-sibling-adapter', 'src/adapters/in-memory/b.ts', `export type { Koa } from '../http/pipeline/errors.js';`],
  ['kit-is-for-databases', 'src/adapters/remote/b.ts', `import '../kit/bounded-call.js';`],
  ['kit-imports-the-core-alone', 'src/adapters/kit/a.ts', `import '../../lossless-json/parse-json.js';`],
  ['only-bootstrap-reaches-bootstrap', 'src/application/c.ts', `import '../bootstrap/tokens.js';`],
  ['core-reaches-no-adapter', 'src/index.ts', `export * from './adapters/in-memory/in-memory-pet-catalogue.js';`],
  ['bootstrap-owns-its-packages', 'src/adapters/http/c.ts', `import 'inversify';`],
  ['lossless-json-imports-domain-only', 'src/lossless-json/b.ts', `import '../application/animal-store.js';`],
  [
    'lossless-json-is-for-adapters-that-speak-it',
    'src/adapters/in-memory/e.ts',
    `import '../../lossless-json/parse-json.js';`,
  ],
  ['koa-owns-its-packages', 'src/bootstrap/b.ts', `import type Koa from 'koa'; export type App = Koa;`],
  ['http-pipeline-does-not-climb', 'src/adapters/http/pipeline/a.ts', `import '../bodies/pet-json.js';`],
  ['http-bodies-does-not-climb', 'src/adapters/http/bodies/a.ts', `export type { S } from '../operations/openapi.js';`],
  ['http-operations-does-not-climb', 'src/adapters/http/operations/a.ts', `import '../reference/page.js';`],
  ['http-reference-does-not-climb', 'src/adapters/http/reference/a.ts', `import '../http-interface.js';`],
  ['http-knows-no-transport', 'src/adapters/http/g.ts', `import './koa/create-app.js';`],
  ['web-apis-alone', 'src/adapters/http/i.ts', `import { Buffer } from 'node:buffer'; Buffer.alloc(0);`],
  ['fetch-and-node-stand-alone', 'src/adapters/http/fetch/c.ts', `import '../node/send.js';`],
  ['koa-stands-on-node', 'src/adapters/http/koa/c.ts', `import '../server/http-server.js';`],
  ['server-knows-no-animals', 'src/adapters/http/server/c.ts', `import '../http-interface.js';`],
  ['server-stands-alone', 'src/adapters/http/server/d.ts', `import '../node/send.js';`],
  ['the-reference-is-passed', 'src/adapters/http/koa/d.ts', `import '../reference/page.js';`],
  ['servers-stay-in-http', 'src/adapters/mongodb/a.ts', `export type { Server } from 'node:net';`],
  ['mongodb-owns-its-packages', 'src/adapters/http/e.ts', `export const load = () => import('mongodb');`],
  ['sqlite-stays-in-its-adapter', 'src/bootstrap/k.ts', `process.getBuiltinModule('node:sqlite');`],
  ['every-package-has-a-home', 'src/bootstrap/e.ts', `import 'chai';`],
  ['adapters-leave-processes-alone', 'src/adapters/in-memory/c.ts', `import { env } from 'node:process'; env;`],
  ['no-inner-use-of-entry-points', 'src/bootstrap/f.ts', `import '../adapters/in-memory/index.js';`],
  ['settings-know-no-users', 'src/bootstrap/settings/values.ts', `import '../modules/koa-module.js';`],
  ['modules-know-no-server', 'src/bootstrap/modules/b.ts', `export type { M } from '../metrics/metrics.js';`],
  ['sources-know-no-tests', 'src/bootstrap/g.ts', `import '../../test/contracts/pet-samples.js';`],
  ['contract-suites-run-anywhere', 'test/contracts/b.ts', `import 'chai';`],
  ['no-cycle', 'src/application/d.ts', `import type { E } from './e.js'; export type D = E | 1;`],
  ['resolvable', 'src/domain/f.ts', `import './nowhere.js';`],
];

describe('the rule of dependencies', () => {
  it('holds for every import of the sources and the contract suites', async () => {
    const { violations, dependencies } = await cruiseByTheRules(ROOT);
    expect(violations).to.deep.equal([]);
    expect(dependencies).to.be.greaterThan(30);
  });

  describe('of a copy that breaks it', () => {
    let violations: readonly string[];

    before(async () => {
      const folder = makeTemporaryFolder();
      await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
      for (const name of FOLDERS) await cp(join(ROOT, name), join(folder, name), { recursive: true });
      for (const [, from, statement] of FORBIDDEN) await appendFile(join(folder, from), statement);
      await writeFile(join(folder, 'src/application/e.ts'), `import { type D } from './d.js'; export type E = D[];`);
      ({ violations } = await cruiseByTheRules(folder));
    });

    for (const [rule, from, statement] of FORBIDDEN) {
      it(`refuses by ${rule}: ${statement} in ${dirname(from)}`, () => {
        expect(violations.filter((line) => line.startsWith(`${rule}: ${from} →`))).not.to.deep.equal([]);
      });
    }
  });
});
