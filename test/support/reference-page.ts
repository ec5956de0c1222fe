import type { Locator, Page } from 'playwright-core';

/** The states that the reference page can be in, from one to the next. */
export const STATES = ['folded', 'unfolded', 'with "Try it out" open', 'authorizing', 'with answers', 'with an error'];

/** The block of an operation. */
export function operation(page: Page, operationId: string): Locator {
  return page.locator(`.opblock[id$="-${operationId}"]`);
}

/** Opens the block of an operation, and "Try it out" in it. */
export async function tryOut(page: Page, operationId: string): Promise<Locator> {
  const block = operation(page, operationId);
  await block.locator('.opblock-summary-control').click();
  await block.locator('.try-out__btn').click();
  return block;
}

/** Enters an API key. */
export async function authorize(page: Page, key: string): Promise<void> {
  await page.click('button.authorize');
  await page.fill('#auth-bearer-value', key);
  await page.click('.auth-btn-wrapper .authorize');
  await page.click('.btn-done');
}

/** Presses "Execute" in the block of an operation, and returns the answer that the page then shows. */
export async function execute(page: Page, block: Locator): Promise<Locator> {
  const answered = page.waitForResponse((response) => new URL(response.url()).pathname.includes('/v1/'));
  await block.locator('button.execute').click();
  const id = (await (await answered).allHeaders())['x-request-id'] ?? '';
  const answer = block.locator('.live-responses-table .response');
  await answer.getByText(id).waitFor();
  return answer;
}

/** Brings a page that was just opened from one of the states to the next, and calls back in each. */
export async function throughStates(page: Page, key: string, each: (state: string) => Promise<void>): Promise<void> {
  const ids = ['listPets', 'createPet', 'getPet'];
  const steps = [
    async () => undefined,
    async () => {
      for (const id of ids) await operation(page, id).locator('.opblock-summary-control').click();
    },
    async () => {
      for (const id of ids) await operation(page, id).locator('.try-out__btn').click();
    },
    async () => page.click('button.authorize'),
    async () => {
      await page.click('.auth-btn-wrapper .btn-done');
      await authorize(page, key);
      await operation(page, 'getPet').locator('input').fill('1');
      for (const id of ids) await execute(page, operation(page, id));
    },
    async () => {
      const block = operation(page, 'createPet');
      await block.locator('textarea').fill('{"name":" ","categoryId":7.5}');
      await execute(page, block);
    },
  ];
  for (const [i, step] of steps.entries()) {
    await step();
    await each(STATES[i] ?? '');
  }
}
