import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Context } from 'mocha';
import { chromium, type Browser } from 'playwright-core';
import { endWithTest } from './cleanup.js';
import { skip } from './skip.js';

/** The first one never has a window, so a page costs less in it. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'];

/**
 * Starts a real browser, which is closed when the test ends: the one of `CHROMIUM_PATH`, or the Chromium or Chrome on the
 * `PATH` whose name is first in the list. Skips the tests if there is none; with `CI=true` that is an error.
 */
export async function launchBrowser(context: Context): Promise<Browser> {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const candidates = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  const executablePath = process.env['CHROMIUM_PATH'] ?? candidates.find((path) => existsSync(path));
  if (executablePath !== undefined) {
    const browser = await chromium.launch({ executablePath, args: FLAGS });
    browser.once(
      'disconnected',
      endWithTest(async () => browser.close()),
    );
    return browser;
  }
  const reason = `no browser: CHROMIUM_PATH is not set, and none of ${NAMES.join(', ')} is on the PATH`;
  if (process.env['CI'] === 'true') throw new Error(reason);
  return skip(context, reason);
}
