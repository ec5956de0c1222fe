import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { createHttpInterface } from '../../src/adapters/http/http-interface.js';
import { createListener } from '../../src/adapters/http/node/listener.js';
import { createHttpServer } from '../../src/adapters/http/server/http-server.js';
import { launchBrowser } from '../support/browser.js';
import { startCommand, type RunningCommand } from '../support/command.js';
import { inMemory, KEY } from '../support/in-memory-interface.js';
import { listenOnFreePort } from '../support/listen-on-free-port.js';

const require = createRequire(import.meta.url);

const INT64_MAX = '9223372036854775807';

describe('the reference page in a browser', function () {
  this.timeout(180_000);
  let browser: Browser;
  let command: RunningCommand;
  let context: BrowserContext;
  let page: Page;

  before(async function () {
    browser = await launchBrowser(this);
    command = await startCommand(['--log-level', 'warn'], { API_KEYS: `me:${KEY}` });
  });

  beforeEach(async () => {
    context = await browser.newContext();
    page = await context.newPage();
  });

  afterEach(async () => context.close());

  // Not the address that the command prints: "Try it out" must work under whatever name the page was opened.
  async function open(url = `http://localhost:${command.port}/`): Promise<void> {
    await page.goto(url);
    await page.waitForSelector('.opblock');
  }

  async function authorize(): Promise<void> {
    await page.click('button.authorize');
    await page.fill('#auth-bearer-value', KEY);
    await page.click('.auth-btn-wrapper .authorize');
    await page.click('.btn-done');
  }

  /** Opens the block of an operation, and "Try it out" in it. */
  async function tryOut(operationId: string): Promise<Locator> {
    const block = page.locator(`.opblock[id$="-${operationId}"]`);
    await block.locator('.opblock-summary-control').click();
    await block.locator('.try-out__btn').click();
    return block;
  }

  /** Presses "Execute" in the block of an operation, and returns the text of the response that the page then shows. */
  async function execute(block: Locator): Promise<string> {
    const answered = page.waitForResponse((response) => new URL(response.url()).pathname.includes('/v1/'));
    await block.locator('button.execute').click();
    const id = (await (await answered).allHeaders())['x-request-id'] ?? '';
    const answer = block.locator('.live-responses-table .response');
    await answer.getByText(id).waitFor();
    return (await answer.textContent()) ?? '';
  }

  /** The elements whose text axe-core finds too faint on its background (WCAG 2, level AA). */
  async function lowContrasts(): Promise<string[]> {
    // Swagger UI blends its colours in.
    await page.evaluate('Promise.all(document.getAnimations().map(({ finished }) => finished))');
    await page.evaluate(readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8'));
    return page.evaluate<string[]>(
      `axe.run({ runOnly: ['color-contrast'] }).then(({ violations }) => violations.flatMap(({ nodes }) => nodes.map(({ html }) => html)))`,
    );
  }

  it('shows every operation of the document, without an error, and loads only from the service', async () => {
    const seen: string[] = [];
    page.on('request', (request) => seen.push(new URL(request.url()).origin));
    page.on('pageerror', ({ message }) => seen.push(message));
    page.on('requestfailed', (request) => seen.push(`no response: ${request.url()}`));
    page.on('console', (message) => {
      if (message.type() === 'error') seen.push(message.text());
    });
    await open();
    expect(await page.locator('.opblock').count()).to.equal(3);
    expect([...new Set(seen)]).to.deep.equal([`http://localhost:${command.port}`]);
  });

  it('sends a request, and shows the response digit for digit', async () => {
    await open();
    await authorize();
    const block = await tryOut('createPet');
    await block.locator('textarea').fill(`{"name":"Rex","categoryId":${INT64_MAX}}`);
    expect(await execute(block)).to.include(`"categoryId": ${INT64_MAX}\n}`);
  });

  it('sends an id in the path digit for digit', async () => {
    await open();
    await authorize();
    const block = await tryOut('getPet');
    await block.locator('input').fill(INT64_MAX);
    expect(await execute(block)).to.include('"pet_not_found"');
    expect(await block.locator('.request-url').textContent()).to.include(`/v1/pets/${INT64_MAX}`);
  });

  for (const [what, basePath, prefix] of [
    ['under a base path of several segments', '/api/animals/v1', ''],
    ['behind a proxy that removes a prefix', '/v1', '/shop'],
  ] as const) {
    it(`names every operation that it calls by its address ${what}`, async () => {
      const answer = createListener(createHttpInterface(inMemory({ basePath })));
      const behindProxy = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
        request.url = request.url?.slice(prefix.length) ?? '';
        return answer(request, response);
      };
      const port = await listenOnFreePort(createHttpServer(behindProxy));
      await open(`http://localhost:${port}${prefix}/docs`);
      await authorize();
      const block = await tryOut('listPets');
      expect(await execute(block)).to.match(/^200/);
      expect(await block.locator('.request-url').textContent()).to.include(`:${port}${prefix}${basePath}/pets`);
    });
  }

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`has readable colours, and fits a phone, with every response open, if the system is ${colorScheme}`, async () => {
      await context.close();
      context = await browser.newContext({ viewport: { width: 390, height: 844 }, colorScheme });
      page = await context.newPage();
      await open();
      await authorize();
      expect(await execute(await tryOut('listPets'))).to.match(/^200/);
      for (const operationId of ['createPet', 'getPet']) await tryOut(operationId);
      const background = await page.evaluate('getComputedStyle(document.documentElement).backgroundColor');
      expect(background).to.equal(colorScheme === 'dark' ? 'rgb(28, 32, 34)' : 'rgba(0, 0, 0, 0)');
      expect(await page.evaluate('document.documentElement.scrollWidth')).to.equal(390);
      expect(await lowContrasts()).to.deep.equal([]);
    });
  }

  it('transfers less than 600 kB at the first visit, and at the second only asks what has changed', async () => {
    const answered: number[] = [];
    const sizes: number[] = [];
    const port = await listenOnFreePort(
      createHttpServer(
        createListener(
          createHttpInterface(
            inMemory({
              onResponse({ status, bytes }) {
                answered.push(status);
                sizes.push(bytes);
              },
            }),
          ),
        ),
      ),
    );
    await open(`http://localhost:${port}/docs`);
    expect(sizes.reduce((sum, bytes) => sum + bytes)).to.be.within(100_000, 600_000);
    answered.splice(0);
    await page.close();
    page = await context.newPage();
    await open(`http://localhost:${port}/docs`);
    expect(answered).to.deep.equal([304, 304]);
  });
});
