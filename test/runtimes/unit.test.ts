import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { ROOT } from '../support/child.js';
import { bundle, needRuntime, runtime, startListener, type Bundle } from '../support/runtimes.js';
import type { Results } from './unit-tests.js';

const FOLDERS = ['domain', 'application', 'adapters/in-memory'];

/** The unit tests that need Node, for its processes or for modules that are not bundled, and a measurement. */
const ON_NODE_ALONE = [
  '../adapters/in-memory/api-keys-in-heap.test.js',
  '../adapters/in-memory/scale.test.js',
  '../domain/another-copy.test.js',
];

const run = promisify(execFile);

describe('the unit tests', () => {
  let bundles: Bundle;
  let onNode: Results;

  before(async () => {
    bundles = await bundle('test/runtimes', ['script', 'workerd']);
    onNode = await printedBy(process.execPath);
  });

  after(async () => bundles.remove());

  async function printedBy(program: string, ...args: readonly string[]): Promise<Results> {
    const { stdout } = await run(program, [...args, join(bundles.folder, 'script.js')], { maxBuffer: 2 ** 24 });
    return JSON.parse(stdout) as Results;
  }

  async function answeredByWorkerd(): Promise<Results> {
    const { child, port } = await startListener('workerd', 'workerd', bundles);
    try {
      return (await (await fetch(`http://127.0.0.1:${port}/`)).json()) as Results;
    } finally {
      await child.stop();
    }
  }

  it('are all bundled, except those that need Node', () => {
    const text = readFileSync(join(ROOT, 'test/runtimes/unit-tests.ts'), 'utf8');
    const bundled = [...text.matchAll(/^import '(.*)';$/gm)].map(([, file]) => file);
    const files = FOLDERS.flatMap((folder) =>
      readdirSync(join(ROOT, 'test', folder), { encoding: 'utf8', recursive: true }).map(
        (file) => `../${folder}/${file}`,
      ),
    );
    const tests = files.filter((file) => file.endsWith('.test.ts')).map((file) => file.replace(/ts$/, 'js'));
    expect([...bundled, ...ON_NODE_ALONE]).to.have.members(tests);
  });

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
    });
  }
});
