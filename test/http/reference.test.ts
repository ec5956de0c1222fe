import { expect } from 'chai';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { createHttpInterface } from '../../src/adapters/http/http-interface.js';
import { createListener } from '../../src/adapters/http/node/listener.js';
import type { ResponseLog } from '../../src/adapters/http/run-handler.js';
import { createHttpServer } from '../../src/adapters/http/server/http-server.js';
import { launchBrowser } from '../support/browser.js';
import { startCommand, type RunningCommand } from '../support/command.js';
import { inMemory, KEY } from '../support/in-memory-interface.js';
import { listenOnFreePort } from '../support/listen-on-free-port.js';
import { authorize, execute, operation, tryOut } from '../support/reference-page.js';

const INT64_MAX = '9223372036854775807';
const MAX_BYTES = 500_000;

describe('the reference page in a browser', function () {
  this.timeout(180_000);
  let browser: Browser;
  let command: RunningCommand;
  let context: BrowserContext;
  let page: Page;
  const errors: string[] = [];

  before(async function () {
    browser = await launchBrowser(this);
    command = await startCommand(['--log-level', 'warn'], { API_KEYS: `me:${KEY}` });
  });

  beforeEach(async () => {
    errors.splice(0);
    context = await browser.newContext();
    page = await context.newPage();
    page.on('pageerror', ({ message }) => errors.push(message));
    page.on('requestfailed', (request) => errors.push(request.url()));
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
  });

  afterEach(async () => context.close());

  // Not the address that the command prints: "Try it out" must work under whatever name the page was opened.
  async function open(url = `http://localhost:${command.port}/`): Promise<void> {
    await page.goto(url);
    await page.waitForSelector('.opblock');
  }

  it('shows every operation of the document', async () => {
    const answer = await fetch(`http://127.0.0.1:${command.port}/openapi.json`);
    const { paths } = (await answer.json()) as { readonly paths: Readonly<Record<string, object>> };
    await open();
    const operations = Object.values(paths).flatMap((item) => Object.keys(item));
    expect(await page.locator('.opblock').count()).to.equal(operations.length);
  });

  it('loads without an error, and only from the service', async () => {
    const origins = new Set<string>();
    page.on('request', (request) => origins.add(new URL(request.url()).origin));
    await open();
    await operation(page, 'createPet').locator('.opblock-summary-control').click();
    expect([errors, [...origins]]).to.deep.equal([[], [`http://localhost:${command.port}`]]);
  });

  it('shows on the folded operation that getPet is deprecated, and when it is removed', async () => {
    await open();
    expect(await operation(page, 'getPet').locator('.opblock-summary').textContent()).to.include(
      'Deprecated: removed on 5 December 2030',
    );
    expect(await page.locator('.deprecation').count()).to.equal(1);
  });

  it('shows no column for links, which the interface does not have', async () => {
    await open();
    await operation(page, 'listPets').locator('.opblock-summary-control').click();
    await page.waitForSelector('.responses-table .response');
    expect(await page.locator('.response-col_links:visible').count()).to.equal(0);
  });

  it('shows what each error means, and its body at the press of a button', async () => {
    await open();
    const block = operation(page, 'createPet');
    await block.locator('.opblock-summary-control').click();
    const refused = block.locator('.response[data-code="400"]');
    expect(await refused.textContent()).to.include('invalid_body');
    expect(await refused.locator('.model-example').count()).to.equal(0);
    await block.locator('button', { hasText: 'Show the body of a 400' }).click();
    await refused.locator('.model-example').waitFor();
  });

  it('follows the colour scheme of the system', async () => {
    await page.emulateMedia({ colorScheme: 'dark' });
    await open();
    const background = async (): Promise<string> =>
      page.evaluate('getComputedStyle(document.documentElement).backgroundColor');
    await page.waitForSelector('html.dark-mode');
    expect(await background()).to.equal('rgb(28, 32, 34)');
    await page.emulateMedia({ colorScheme: 'light' });
    await page.waitForSelector('html:not(.dark-mode)');
    expect(await background()).to.equal('rgb(255, 255, 255)');
  });

  describe('says how to authorize', () => {
    it('until a key is entered', async () => {
      await open();
      expect(await page.locator('.scheme-container').textContent()).to.include('Each request needs an API key');
    });

    it('and that a key was entered', async () => {
      await open();
      await authorize(page, KEY);
      expect(await page.locator('.scheme-container').textContent()).to.include('Requests carry your API key');
    });

    it('in the answer to a request without a key', async () => {
      await open();
      const answer = await execute(page, await tryOut(page, 'listPets'));
      const error = await answer.locator('.answer-error').textContent();
      expect(error).to.include('unauthorized').and.include('Press Authorize');
    });
  });

  describe('with a key', () => {
    beforeEach(async () => {
      await open();
      await authorize(page, KEY);
    });

    it('sends a request, and shows the answer digit for digit', async () => {
      const block = await tryOut(page, 'createPet');
      await block.locator('textarea').fill(`{"name":"Rex","categoryId":${INT64_MAX}}`);
      const answer = await execute(page, block);
      expect(await answer.textContent()).to.include(`"categoryId": ${INT64_MAX}`);
    });

    it('sends an id in the path digit for digit', async () => {
      const block = await tryOut(page, 'getPet');
      await block.locator('input').fill(INT64_MAX);
      const answer = await execute(page, block);
      expect(await block.locator('.request-url').textContent()).to.include(`/v1/pets/${INT64_MAX}`);
      expect(await answer.locator('.answer-error strong').textContent()).to.equal('pet_not_found');
    });

    it('shows each fault of a refused animal on its own line', async () => {
      const block = await tryOut(page, 'createPet');
      await block.locator('textarea').fill('{"name":" ","categoryId":9223372036854775808,"status":"lost"}');
      const answer = await execute(page, block);
      const faults = await answer.locator('.answer-error li').allTextContents();
      expect(faults.map((fault) => fault.split(' ', 1)[0])).to.deep.equal(['name', 'categoryId', 'status']);
    });

    it('suggests an Idempotency-Key, and another one at the press of a button', async () => {
      const block = await tryOut(page, 'createPet');
      const field = block.locator('tr[data-param-name="Idempotency-Key"] input');
      const suggested = await field.inputValue();
      expect(suggested).to.match(/^[0-9a-f]{32}$/);
      await block.locator('.new-key').click();
      await page.waitForFunction(`document.querySelector('[data-param-name] input').value !== '${suggested}'`);
      expect(await field.inputValue()).to.match(/^[0-9a-f]{32}$/);
    });

    it('shows that a repeat with the same Idempotency-Key added nothing', async () => {
      const block = await tryOut(page, 'createPet');
      await block.locator('textarea').fill('{"name":"Rex","categoryId":7}');
      const first = (await (await execute(page, block)).textContent()) ?? '';
      const second = (await (await execute(page, block)).textContent()) ?? '';
      const idIn = (text: string): string | undefined => /"id": (\d+)/.exec(text)?.[1];
      expect(first).not.to.include('Idempotency-Replayed');
      expect(second).to.include('Idempotency-Replayed: true').and.include('idempotency-replayed: true');
      expect(idIn(second)).to.equal(idIn(first));
    });
  });

  describe('names every operation that it calls by its address', () => {
    for (const [what, basePath, prefix] of [
      ['under a base path of several segments', '/api/animals/v1', ''],
      ['behind a proxy that removes a prefix', '/v1', '/shop'],
    ] as const) {
      it(what, async () => {
        const answer = createListener(createHttpInterface(inMemory({ basePath })));
        const behindProxy = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
          request.url = request.url?.slice(prefix.length) ?? '';
          return answer(request, response);
        };
        const port = await listenOnFreePort(createHttpServer(behindProxy));
        await open(`http://localhost:${port}${prefix}/docs`);
        await authorize(page, KEY);
        const block = await tryOut(page, 'listPets');
        expect(await (await execute(page, block)).locator('.response-col_status').textContent()).to.equal('200');
        expect(await block.locator('.request-url').textContent()).to.include(`:${port}${prefix}${basePath}/pets`);
      });
    }
  });

  describe('over the wire', () => {
    /**
     * What a visit asked for, but the icon: a browser asks for it apart from everything else, and one that never has a window
     * does not ask for it.
     */
    const asked: ResponseLog[] = [];
    let port: number;

    beforeEach(async () => {
      asked.splice(0);
      const onResponse = (each: ResponseLog): void => {
        if (each.route?.includes('favicon') !== true) asked.push(each);
      };
      port = await listenOnFreePort(createHttpServer(createListener(createHttpInterface(inMemory({ onResponse })))));
    });

    /** Opens the page as at another visit: in a new tab, with what the browser has kept. */
    async function visit(): Promise<void> {
      await page.close();
      page = await context.newPage();
      await open(`http://localhost:${port}/docs`);
    }

    it('transfers less than 500 kB at the first visit', async () => {
      await visit();
      const href = await page.locator('link[rel=icon]').getAttribute('href');
      const icon = await fetch(new URL(String(href), page.url()));
      const { byteLength } = await icon.arrayBuffer();
      const bytes = asked.reduce((sum, each) => sum + each.bytes, byteLength);
      expect([...asked, icon].map(({ status }) => status)).to.deep.equal([200, 200, 200, 200, 200, 200]);
      expect(bytes).to.be.within(100_000, MAX_BYTES);
    });

    it('only asks at the second visit whether the page has changed', async () => {
      await visit();
      asked.splice(0);
      await visit();
      expect(asked.map(({ route, status, bytes: of }) => [route, status, of])).to.deep.equal([['/docs', 304, 0]]);
    });
  });
});
