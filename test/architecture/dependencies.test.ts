import { expect } from 'chai';
import { cruise } from 'dependency-cruiser';
import extractDepcruiseConfig from 'dependency-cruiser/config-utl/extract-depcruise-config';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ROOT } from '../support/child.js';
import { makeTemporaryFolder } from '../support/temporary-folder.js';

/** The imports below a folder that break a rule of `.dependency-cruiser.cjs`, and how many imports there are. */
interface Cruise {
  /** One line each: `<rule>: <from> → <to>`. */
  readonly violations: readonly string[];
  readonly dependencies: number;
}

/** Checks the imports of some folders below `baseDir` by the repository's rules. */
async function cruiseByTheRules(baseDir: string, folders: readonly string[]): Promise<Cruise> {
  const { forbidden = [], options = {} } = await extractDepcruiseConfig(`${ROOT}.dependency-cruiser.cjs`);
  const { output } = await cruise([...folders], { ...options, baseDir, validate: true, ruleSet: { forbidden } });
  if (typeof output === 'string') throw new TypeError('the cruise gave text where its result was asked for');
  return {
    violations: output.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`),
    dependencies: output.summary.totalDependenciesCruised ?? 0,
  };
}

/** Forbidden imports: the rule that each breaks, the importing file, the import. */
const FORBIDDEN: readonly (readonly [rule: string, from: string, statement: string])[] = [
  ['domain-is-pure', 'src/domain/a.ts', `import '../application/store.js';`],
  ['domain-is-pure', 'src/domain/b.ts', `import { createHash } from 'node:crypto'; createHash('sha256');`],
  ['domain-is-pure', 'src/domain/c.ts', `import type Koa from 'koa'; export type App = Koa;`],
  ['application-imports-domain-only', 'src/application/a.ts', `import '../adapters/in-memory/a.js';`],
  ['no-sibling-adapter', 'src/adapters/in-memory/b.ts', `export type { Koa } from '../http/a.js';`],
  ['no-sibling-adapter', 'src/adapters/http/b.ts', `import '../../bootstrap/a.js';`],
  ['only-bootstrap-reaches-bootstrap', 'src/application/c.ts', `import '../bootstrap/a.js';`],
  ['core-reaches-no-adapter', 'src/index.ts', `export * from './adapters/in-memory/a.js';`],
  ['bootstrap-owns-its-packages', 'src/adapters/http/c.ts', `import 'inversify';`],
  ['metrics-owns-its-packages', 'src/bootstrap/j.ts', `import 'prom-client';`],
  ['http-owns-its-packages', 'src/bootstrap/h.ts', `import 'fast-content-type-parse';`],
  ['json-owns-its-packages', 'src/adapters/http/j.ts', `import 'json-custom-numbers';`],
  ['json-imports-domain-only', 'src/json/b.ts', `import '../application/store.js';`],
  ['json-is-for-adapters-that-speak-it', 'src/adapters/in-memory/e.ts', `import '../../json/a.js';`],
  ['files-owns-its-packages', 'src/bootstrap/m.ts', `import 'csv-parse';`],
  ['koa-owns-its-packages', 'src/bootstrap/b.ts', `import type Koa from 'koa'; export type App = Koa;`],
  ['koa-owns-its-packages', 'src/adapters/http/node/b.ts', `import type Koa from 'koa'; export type App = Koa;`],
  ['http-knows-no-transport', 'src/adapters/http/g.ts', `import './koa/a.js';`],
  ['http-knows-no-transport', 'src/adapters/http/h.ts', `import './fetch/a.js';`],
  ['web-apis-alone', 'src/adapters/http/i.ts', `import { Buffer } from 'node:buffer'; Buffer.alloc(0);`],
  ['web-apis-alone', 'src/adapters/remote/b.ts', `import 'node:crypto';`],
  ['web-apis-alone', 'src/json/c.ts', `import 'node:util';`],
  ['web-apis-alone', 'src/adapters/http/fetch/b.ts', `import 'node:crypto';`],
  ['fetch-and-node-stand-alone', 'src/adapters/http/fetch/c.ts', `import '../node/a.js';`],
  ['fetch-and-node-stand-alone', 'src/adapters/http/node/c.ts', `import '../koa/a.js';`],
  ['koa-stands-on-node', 'src/adapters/http/koa/b.ts', `import '../fetch/a.js';`],
  ['koa-stands-on-node', 'src/adapters/http/koa/c.ts', `import '../server/a.js';`],
  ['fetch-and-node-stand-alone', 'src/adapters/http/node/d.ts', `import '../server/a.js';`],
  ['server-knows-no-animals', 'src/adapters/http/server/b.ts', `import '../../../domain/pet.js';`],
  ['server-knows-no-animals', 'src/adapters/http/server/c.ts', `import '../a.js';`],
  ['server-stands-on-node', 'src/adapters/http/server/d.ts', `import '../fetch/d.js';`],
  ['mongodb-parts-stand-apart', 'src/adapters/mongodb/pets/b.ts', `import '../api-keys/a.js';`],
  ['mongodb-connection-knows-no-parts', 'src/adapters/mongodb/b.ts', `import './pets/a.js';`],
  ['servers-stay-in-http', 'src/adapters/mongodb/a.ts', `export type { Server } from 'node:net';`],
  ['servers-stay-in-http', 'src/bootstrap/i.ts', `import 'node:http';`],
  ['mongodb-owns-its-packages', 'src/bootstrap/d.ts', `import { type Db } from 'mongodb'; export type D = Db;`],
  ['mongodb-owns-its-packages', 'src/adapters/http/e.ts', `export const load = () => import('mongodb');`],
  ['sqlite-stays-in-its-adapter', 'src/bootstrap/k.ts', `process.getBuiltinModule('node:sqlite');`],
  ['every-package-has-a-home', 'src/bootstrap/e.ts', `import 'chai';`],
  ['adapters-leave-processes-alone', 'src/adapters/in-memory/c.ts', `import { env } from 'node:process'; env;`],
  ['no-inner-use-of-entry-points', 'src/bootstrap/f.ts', `import '../adapters/in-memory/index.js';`],
  ['settings-know-no-users', 'src/bootstrap/settings/a.ts', `import '../modules/a.js';`],
  ['modules-know-no-server', 'src/bootstrap/modules/b.ts', `export type { M } from '../metrics/a.js';`],
  ['sources-know-no-tests', 'src/bootstrap/g.ts', `import '../../test/contracts/a.js';`],
  ['contract-suites-run-anywhere', 'test/contracts/b.ts', `import 'chai';`],
  ['no-cycle', 'src/domain/d.ts', `import './e.js';`],
  ['no-cycle', 'src/application/d.ts', `import type { E } from './e.js'; export type D = E | 1;`],
  ['resolvable', 'src/domain/f.ts', `import './nowhere.js';`],
];

/** The files that the forbidden imports lead to. They break no rule. */
const SOUND: readonly (readonly [file: string, text: string])[] = [
  ['src/application/store.ts', `import type { Pet } from '../domain/pet.js'; export type Store = Pet;`],
  ['src/domain/pet.ts', `export interface Pet { readonly id: bigint }`],
  ['src/domain/e.ts', `import './d.js';`],
  ['src/application/e.ts', `import { type D } from './d.js'; export type E = Exclude<D, 1>;`],
  ['src/adapters/in-memory/a.ts', `import 'node:crypto'; import '../../domain/pet.js';`],
  ['src/adapters/in-memory/index.ts', `export {} from './a.js';`],
  ['src/adapters/http/a.ts', `import 'fast-content-type-parse'; import '../../json/a.js'; import './operations/c.js';`],
  ['src/adapters/files/a.ts', `import 'csv-parse'; import '../../json/a.js'; import '../../domain/pet.js';`],
  ['src/json/a.ts', `import 'json-custom-numbers'; import '../domain/pet.js';`],
  ['src/adapters/remote/a.ts', `import '../../json/a.js'; import '../../domain/pet.js';`],
  ['src/adapters/http/operations/c.ts', `import '../../../domain/pet.js';`],
  ['src/adapters/http/node/a.ts', `import 'node:http'; import '../a.js'; export type Send = 1;`],
  ['src/adapters/http/koa/a.ts', `import 'koa'; import '@koa/router'; import 'node:http'; import '../node/a.js';`],
  ['src/adapters/http/fetch/a.ts', `import '../a.js';`],
  ['src/adapters/http/server/a.ts', `import 'node:http'; import '../node/e.js';`],
  ['src/adapters/http/node/index.ts', `export {} from './a.js'; export {} from '../server/a.js';`],
  ['src/adapters/http/node/e.ts', `import 'node:http';`],
  ['src/adapters/http/fetch/d.ts', `export {};`],
  ['src/adapters/sqlite/a.ts', `process.getBuiltinModule('node:sqlite');`],
  ['src/adapters/mongodb/c.ts', `import 'mongodb';`],
  ['src/adapters/mongodb/index.ts', `export {} from './pets/a.js';`],
  ['src/adapters/mongodb/pets/a.ts', `import 'mongodb'; import '../c.js';`],
  ['src/adapters/mongodb/api-keys/a.ts', `import '../c.js';`],
  ['src/bootstrap/a.ts', `import 'inversify'; import 'reflect-metadata'; import '../adapters/in-memory/a.js';`],
  ['src/bootstrap/settings/b.ts', `import '../log/a.js';`],
  ['src/bootstrap/log/a.ts', `import 'pino';`],
  [
    'src/bootstrap/modules/a.ts',
    `import 'inversify'; import '../settings/b.js'; import '../../adapters/in-memory/a.js';`,
  ],
  ['src/bootstrap/metrics/a.ts', `import 'prom-client'; import '../modules/a.js'; export type M = 1;`],
  ['test/contracts/a.ts', `import 'node:assert/strict';`],
];

describe('the rule of dependencies', function () {
  this.timeout(180_000);

  it('holds for every import of the sources and the contract suites', async () => {
    const { violations, dependencies } = await cruiseByTheRules(ROOT, ['src', 'test/contracts']);
    expect(violations).to.deep.equal([]);
    expect(dependencies).to.be.greaterThan(30);
  });

  describe('of a folder that breaks it', () => {
    let violations: readonly string[];

    before(async () => {
      const folder = makeTemporaryFolder();
      await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
      const files = [...SOUND, ...FORBIDDEN.map(([, from, statement]) => [from, statement] as const)];
      for (const [file, text] of files) {
        await mkdir(dirname(join(folder, file)), { recursive: true });
        await writeFile(join(folder, file), text);
      }
      ({ violations } = await cruiseByTheRules(folder, ['src', 'test']));
    });

    for (const [rule, from, statement] of FORBIDDEN) {
      it(`refuses by ${rule}: ${statement} in ${dirname(from)}`, () => {
        expect(violations.filter((line) => line.startsWith(`${rule}: ${from} →`))).to.have.lengthOf(1);
      });
    }

    it('accepts files that break no rule', () => {
      expect(violations.filter((line) => SOUND.some(([file]) => line.includes(`: ${file} →`)))).to.deep.equal([]);
    });
  });
});
