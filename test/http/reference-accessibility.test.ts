import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../support/browser.js';
import { startCommand, type RunningCommand } from '../support/command.js';
import { KEY } from '../support/in-memory-interface.js';
import { throughStates } from '../support/reference-page.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Each rule of axe that an element of the page breaks, as `rule (impact): selector`. */
const RUN = `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
  violations.flatMap(({ id, impact, nodes }) => nodes.map(({ target }) => ({ id, impact, target: target.join(' ') }))))`;
/** Colours change immediately, so that no intermediate colour is measured. */
const NO_TRANSITIONS = '* { animation: none !important; transition: none !important; }';

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly target: string;
}

/** What is left inside Swagger UI, by rule. None of it is serious or critical. */
const LEFT: Readonly<Record<string, string>> = {
  'heading-order': 'Swagger UI skips levels of headings, in the list of operations and in the dialogue',
  'landmark-unique': 'Swagger UI makes each table of responses a landmark, and names none of them',
  region: 'Swagger UI puts the title and the button "Authorize" outside its main landmark',
};

describe('the reference page, to axe-core', function () {
  this.timeout(180_000);
  let browser: Browser;
  let command: RunningCommand;

  before(async function () {
    browser = await launchBrowser(this);
    command = await startCommand(['--log-level', 'warn'], { API_KEYS: `me:${KEY}` });
  });

  for (const width of [1280, 390]) {
    describe(`at ${width} pixels`, () => {
      /** What is wrong in any state, by colour scheme. */
      const violations: Record<'light' | 'dark', string[]> = { light: [], dark: [] };
      /** The states that are wider than the screen, with their widths in pixels. */
      const tooWide: Record<string, number> = {};

      // The page is brought to each state once, and looked at in both colour schemes there.
      before(async () => {
        const page = await browser.newPage({ viewport: { width, height: 900 } });
        await page.goto(`http://localhost:${command.port}/docs`);
        await page.waitForSelector('.opblock');
        await page.addStyleTag({ content: NO_TRANSITIONS });
        await page.evaluate(AXE);
        await throughStates(page, KEY, async (state) => {
          for (const colorScheme of ['light', 'dark'] as const) {
            await page.emulateMedia({ colorScheme });
            await page.waitForSelector(colorScheme === 'dark' ? 'html.dark-mode' : 'html:not(.dark-mode)');
            const found: Violation[] = await page.evaluate(RUN);
            const others = found.filter(({ id, impact }) => !(id in LEFT) || ['serious', 'critical'].includes(impact));
            violations[colorScheme].push(
              ...others.map(({ id, impact, target }) => `${state}: ${id} (${impact}): ${target}`),
            );
          }
          const widest: number = await page.evaluate('document.documentElement.scrollWidth');
          if (widest > width) tooWide[state] = widest;
        });
      });

      it('is accessible in every state', () => {
        expect(violations.light).to.deep.equal([]);
      });

      it('is accessible in every state in a dark colour scheme', () => {
        expect(violations.dark).to.deep.equal([]);
      });

      it('does not scroll sideways, whatever is unfolded', () => {
        expect(tooWide).to.deep.equal({});
      });
    });
  }
});
