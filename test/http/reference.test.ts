import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../support/browser.js';
import { startCommand, type RunningCommand } from '../support/command.js';

const KEY = 'a-key-of-sixteen.';

describe('the reference page in a browser', function () {
  this.timeout(60_000);
  let browser: Browser | undefined;
  let command: RunningCommand | undefined;
  let page: Page;
  const errors: string[] = [];

  before(async function () {
    browser = await launchBrowser(this);
    command = await startCommand(['--log-level', 'warn'], { API_KEYS: `me:${KEY}` });
    page = await browser.newPage();
    page.on('pageerror', ({ message }) => errors.push(message));
    page.on('requestfailed', (request) => errors.push(request.url()));
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    // Not the address that the command prints: "Try it out" must work under whatever name the page was opened.
    await page.goto(`http://localhost:${command.port}/`);
    await page.waitForSelector('.opblock');
  });

  after(async () => {
    await browser?.close();
    await command?.stop();
  });

  it('shows the three operations', async () => {
    expect(await page.locator('.opblock').count()).to.equal(3);
  });

  it('shows that getPet is deprecated', async () => {
    expect(await page.locator('.opblock-deprecated').count()).to.equal(1);
  });

  it('sends a request with the key, and shows the answer digit for digit', async () => {
    await page.click('button.authorize');
    await page.fill('.auth-container input', KEY);
    await page.click('.auth-btn-wrapper .authorize');
    await page.click('.btn-done');
    await page.click('#operations-default-createPet .opblock-summary-control');
    await page.click('.try-out__btn');
    await page.fill('textarea.body-param__text', '{"name":"Rex","categoryId":9223372036854775807}');
    await page.click('button.execute');
    const answer = await page.waitForSelector('.live-responses-table .response .response-col_description');
    expect(await answer.textContent()).to.include('{"id":1,"name":"Rex","categoryId":9223372036854775807}');
  });

  it('loads without an error, and only from the service', () => {
    expect(errors).to.deep.equal([]);
  });
});
