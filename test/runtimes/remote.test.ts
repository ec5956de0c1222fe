import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { build } from 'esbuild';
import { InMemoryPetCatalogue } from '../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { launchBrowser } from '../support/browser.js';
import { ROOT } from '../support/child.js';
import { bundle, needRuntime, runtime, startListener, type Bundle } from '../support/runtimes.js';
import { startScripted } from '../adapters/remote/scripted-service.js';
import { KEY, serveCatalogue, urlOf } from '../adapters/remote/serve-catalogue.js';

const SOURCES = 'test/runtimes/remote';

const run = promisify(execFile);

/** The results of using an empty remote store. */
const EXPECTED = {
  all: ['1 9223372036854775807', '2 -9223372036854775808'],
  replayed: [false, true],
  found: 'Rex 😀',
  missing: 'pet_not_found',
  refused: 'unauthorized',
};

describe('RemotePetCatalogue', function () {
  this.timeout(180_000);
  let bundles: Bundle;
  let url: string;

  before(async () => {
    bundles = await bundle(SOURCES, ['script', 'workerd']);
  });

  after(async () => bundles.remove());

  beforeEach(async () => {
    url = urlOf(await serveCatalogue(new InMemoryPetCatalogue(), { corsOrigins: ['*'] }));
  });

  async function printedBy(program: string, ...args: readonly string[]): Promise<unknown> {
    const { stdout } = await run(program, [...args, join(bundles.folder, 'script.js'), url, KEY]);
    return JSON.parse(stdout);
  }

  async function answeredByWorkerd(): Promise<unknown> {
    const { port } = await startListener('workerd', 'workerd', bundles);
    const query = new URLSearchParams({ url, key: KEY }).toString();
    return (await fetch(`http://127.0.0.1:${port}/?${query}`)).json();
  }

  const RUNTIMES = {
    bun: async () => printedBy(await runtime('bun'), 'run'),
    deno: async () => printedBy(await runtime('deno'), 'run', '--quiet', '--allow-net', '--allow-env'),
    workerd: answeredByWorkerd,
  } as const;

  it('calls a remote store on Node', async () => {
    expect(await printedBy(process.execPath)).to.deep.equal(EXPECTED);
  });

  for (const [name, runOn] of Object.entries(RUNTIMES)) {
    it(`calls a remote store on ${name}`, async function () {
      this.timeout(300_000);
      await needRuntime(this, name as keyof typeof RUNTIMES);
      expect(await runOn()).to.deep.equal(EXPECTED);
    });
  }

  describe('in a page of another origin', () => {
    /** Runs an expression in a page that has the module as `remote`. */
    async function inPage(context: Mocha.Context, expression: string): Promise<unknown> {
      const { outputFiles } = await build({
        entryPoints: [join(ROOT, SOURCES, 'use-remote-store.ts')],
        bundle: true,
        format: 'iife',
        globalName: 'remote',
        platform: 'browser',
        write: false,
      });
      const { port } = await startScripted({ headers: { 'Content-Type': 'text/html' }, body: '<title>A page</title>' });
      const page = await (await launchBrowser(context)).newPage();
      await page.goto(`http://127.0.0.1:${port}/`);
      await page.addScriptTag({ content: outputFiles[0]?.text ?? '' });
      return page.evaluate(expression);
    }

    it('calls a remote store', async function () {
      const used = await inPage(this, `remote.useRemoteStore(${JSON.stringify(url)}, ${JSON.stringify(KEY)})`);
      expect(used).to.deep.equal(EXPECTED);
    });

    it('does not follow a redirect, and says so', async function () {
      const headers = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Headers': '*, Authorization' };
      const redirecting = await startScripted((response, { method }) => {
        const allowing = { ...headers, 'Access-Control-Allow-Methods': '*', Location: '/elsewhere' };
        response.writeHead(method === 'OPTIONS' ? 204 : 307, allowing).end();
      });
      const used = await inPage(
        this,
        `remote.useRemoteStore(${JSON.stringify(redirecting.url)}, ${JSON.stringify(KEY)}).catch(({ name, status }) => name + ' ' + status)`,
      );
      expect(used).to.equal('RemoteStoreError 0');
      expect(redirecting.seen.map((request) => request.url)).not.to.include('/elsewhere');
    });
  });
});
