import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { ROOT } from '../support/child.js';
import { bundle, needRuntime, runtime, startListener, type Bundle } from '../support/runtimes.js';
import type { Results } from './run-unit-tests.js';

/** The folders of unit tests, which need nothing but JavaScript and the modules that all runtimes have. */
const FOLDERS = ['domain', 'application', 'adapters/in-memory'];

/** Those that need Node, for its processes or for modules that are not bundled, and a measurement. */
const ON_NODE_ALONE = [
  'adapters/in-memory/api-keys-in-heap.test.ts',
  'adapters/in-memory/scale.test.ts',
  'domain/another-copy.test.ts',
];

/** What the bundles do with the results: a script prints them, and a worker of Cloudflare's runtime answers any request with them. */
const ENTRIES = {
  script: 'console.log(JSON.stringify(await runUnitTests()));',
  workerd: 'export default { fetch: async () => Response.json(await runUnitTests()) };',
};

const run = promisify(execFile);

describe('the unit tests', () => {
  let bundles: Bundle;
  let onNode: Results;

  before(async () => {
    const files = FOLDERS.flatMap((folder) =>
      readdirSync(join(ROOT, 'test', folder), { encoding: 'utf8', recursive: true }).map((file) => join(folder, file)),
    );
    const tests = files.filter((file) => file.endsWith('.test.ts') && !ON_NODE_ALONE.includes(file));
    // The first import makes `describe` and `it` global.
    const imports = [
      `import { runUnitTests } from '${join(ROOT, 'test/runtimes/run-unit-tests.ts')}';`,
      ...tests.map((file) => `import '${join(ROOT, 'test', file)}';`),
    ];
    mkdirSync(join(ROOT, '.cache'), { recursive: true });
    const folder = mkdtempSync(join(ROOT, '.cache/unit-tests-'));
    try {
      for (const [name, text] of Object.entries(ENTRIES))
        writeFileSync(join(folder, `${name}.ts`), [...imports, text].join('\n'));
      bundles = await bundle(relative(ROOT, folder), Object.keys(ENTRIES));
    } finally {
      rmSync(folder, { recursive: true });
    }
    onNode = await printedBy(process.execPath);
  });

  after(async () => bundles.remove());

  async function printedBy(program: string, ...args: readonly string[]): Promise<Results> {
    const { stdout } = await run(program, [...args, join(bundles.folder, 'script.js')], { maxBuffer: 2 ** 24 });
    return JSON.parse(stdout) as Results;
  }

  async function answeredByWorkerd(): Promise<Results> {
    const { port } = await startListener('workerd', 'workerd', bundles);
    return (await (await fetch(`http://127.0.0.1:${port}/`)).json()) as Results;
  }

  const RUNTIMES = {
    bun: async () => printedBy(await runtime('bun'), 'run'),
    deno: async () => printedBy(await runtime('deno'), 'run', '--quiet', '--allow-env', '--allow-read', '--allow-sys'),
    workerd: answeredByWorkerd,
  } as const;

  for (const [name, runOn] of Object.entries(RUNTIMES)) {
    it(`pass on ${name} as they do on Node`, async function () {
      this.timeout(300_000);
      await needRuntime(this, name as keyof typeof RUNTIMES);
      const results = await runOn();
      expect(results.failed).to.deep.equal([]);
      expect(results.passed).to.deep.equal(onNode.passed);
      expect(results.passed.length).to.be.greaterThan(100);
    });
  }
});
