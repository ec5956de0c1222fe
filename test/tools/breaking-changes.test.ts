import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { needs } from '../deploy/needs.js';
import { installGo } from './install.js';
import { readDocument, run, TOOLS } from './tools.js';

/** The document of the last release. `scripts/release.js` replaces it. */
const RELEASED = join(TOOLS, 'released/openapi.json');
/** The changes since then that oasdiff reports, each with the reason why it is made: `{ "<rule> <subject>": "<reason>" }`. */
const DELIBERATE = join(TOOLS, 'released/deliberate-changes.json');

interface Change {
  readonly id: string;
  readonly text: string;
}

/** The rule that a change breaks, and the member that it concerns. Several operations may have the same change. */
function kindOf({ id, text }: Change): string {
  const [, ofAnswer, ofRequest] = /`(?:\w+\/)*(\w+)` response property|request property `(\w+)`/.exec(text) ?? [];
  return `${id} ${ofAnswer ?? ofRequest ?? text}`;
}

describe('the OpenAPI document, compared with that of the last release', () => {
  it('breaks no client, except in what is listed with its reason', async function () {
    this.timeout(300_000);
    needs(this, 'go', ['version']);
    const args = ['breaking', '--format', 'json', RELEASED, (await readDocument()).file];
    const { code, output } = await run(await installGo('oasdiff'), args);
    expect(code, output).to.equal(0);
    const changes = JSON.parse(output === '' ? '[]' : output) as readonly Change[];
    const deliberate = JSON.parse(readFileSync(DELIBERATE, 'utf8')) as Readonly<Record<string, string>>;
    expect([...new Set(changes.map(kindOf))]).to.have.members(Object.keys(deliberate));
  });
});
