import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { useMongodb } from '../support/use-mongodb.js';
import { ALL_PACKAGES, DEPENDENCIES, EXAMPLES_WITH_PACKAGES, makeProjectOf, ROOT, succeed } from './project.js';

/** The lines that each example prints, and the packages beyond animal-store that it imports. */
const PROGRAMS: Readonly<
  Record<string, { readonly needs?: readonly string[]; readonly prints: readonly (string | RegExp)[] }>
> = {
  'embed-the-core': {
    prints: [
      'Rex has the id 1',
      '1 Rex, category 7, available',
      '2 Tom, category 9223372036854775807, sold',
      '3 Kim, category 7, no status',
      /^invalid_pet: name must be .*; categoryId must be .*$/,
    ],
  },
  gateway: {
    needs: [...DEPENDENCIES],
    prints: [
      '/v1/pets → 201 {"id":1,"name":"Rex","categoryId":9223372036854775807}',
      '/v1/pets → 200 [{"id":1,"name":"Rex","categoryId":9223372036854775807}]',
      '/readyz → 200',
    ],
  },
  rebind: {
    needs: [...ALL_PACKAGES, '@hono/node-server'],
    prints: [
      'as it comes: 200 []',
      'another catalogue: 200 [{"id":1,"name":"Rex","categoryId":7}]',
      'other keys: 200 []',
      'another transport: 200 []',
    ],
  },
  retries: {
    needs: [...DEPENDENCIES, 'undici'],
    prints: [
      '201 {"id":1,"name":"Rex","categoryId":7}',
      'Location: /v1/pets/1, Idempotency-Replayed: true',
      '3 answers, 2 of them lost; 1 animal',
    ],
  },
  'wrap-a-catalogue': {
    needs: [...DEPENDENCIES],
    prints: [
      'by hand',
      /^addOnce took \d+\.\d ms$/,
      /^find took \d+\.\d ms$/,
      'by onActivation',
      /^addOnce took \d+\.\d ms$/,
      '201 {"id":1,"name":"Rex","categoryId":7}',
    ],
  },
  'mount-in-koa': {
    needs: [...DEPENDENCIES, 'koa-mount'],
    prints: [
      '/ → 200, X-Shop: corner',
      '  Welcome to the shop',
      '/shop/v1/pets?limit=1 → 200, X-Shop: corner',
      '  [{"id":1,"name":"Rex","categoryId":7,"status":"available"}]',
      '  Link: </shop/v1/pets?limit=1&after=1>; rel="next"',
      '/shop/v1/nowhere → 404, X-Shop: corner',
      /^ {2}\{"code":"route_not_found",.*"status":404\}$/,
    ],
  },
};

const SUITES = { 'test-with-in-memory': 4 };

describe('the examples, with the packed package', function () {
  this.timeout(180_000);

  it('are all known here', () => {
    expect(readdirSync(join(ROOT, 'examples')).sort()).to.deep.equal(
      [...Object.keys(PROGRAMS), ...Object.keys(SUITES), ...EXAMPLES_WITH_PACKAGES].sort(),
    );
  });

  for (const [name, { needs = [], prints }] of Object.entries(PROGRAMS)) {
    it(`${name} runs, and prints what it should`, () => {
      const project = makeProjectOf(join('examples', name), needs);
      const lines = succeed(project, process.execPath, ['main.js']).trimEnd().split('\n');
      for (const [i, expected] of prints.entries()) {
        if (typeof expected === 'string') expect(lines[i]).to.equal(expected);
        else expect(lines[i]).to.match(expected);
      }
      expect(lines.length).to.equal(prints.length);
    });
  }

  for (const [name, atLeast] of Object.entries(SUITES)) {
    it(`${name} passes its tests under node:test`, () => {
      const project = makeProjectOf(join('examples', name), []);
      const tap = succeed(project, process.execPath, ['--test', '--test-reporter=tap']);
      expect(Number(/^# pass (\d+)$/m.exec(tap)?.[1])).to.be.at.least(atLeast);
      expect(tap).to.match(/^# fail 0$/m);
    });
  }

  describe('on a MongoDB server', () => {
    const mongodb = useMongodb();

    it('rebind runs, and prints the same', () => {
      const { needs = [], prints } = PROGRAMS['rebind'] ?? { prints: [] };
      const project = makeProjectOf(join('examples', 'rebind'), needs);
      const stdout = succeed(project, process.execPath, ['main.js'], { MONGODB_URL: mongodb.createDatabaseUrl() });
      expect(stdout.trimEnd().split('\n')).to.deep.equal(prints);
    });
  });
});
