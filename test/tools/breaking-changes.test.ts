import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { needs } from '../deploy/needs.js';
import { installGo } from './install.js';
import { fileOf, readDocument, run, TOOLS } from './tools.js';

/** The document of the last release. `scripts/release.js` replaces it. */
const RELEASED = join(TOOLS, 'released/openapi.json');
/** The changes since then that oasdiff reports, each with the reason why it is made: `{ "<rule> <subject>": "<reason>" }`. */
const DELIBERATE = join(TOOLS, 'released/deliberate-changes.json');

interface Change {
  readonly id: string;
  readonly text: string;
  readonly operation?: string;
  readonly path?: string;
}

interface Document {
  readonly paths: Record<string, Record<string, { 'x-sunset'?: string }>>;
}

describe('the OpenAPI document, compared with that of the last release', () => {
  let oasdiff: string;
  let current: string;

  before(async function () {
    this.timeout(300_000);
    needs(this, 'go', ['version']);
    oasdiff = await installGo('oasdiff');
    current = (await readDocument()).text;
  });

  /** The changes that break a client, or may do so. */
  async function breakingChanges(base: string, revision: string): Promise<readonly Change[]> {
    const files = [fileOf('base.json', base), fileOf('revision.json', revision)];
    const { code, output } = await run(oasdiff, ['breaking', '--format', 'json', ...files]);
    expect(code, output).to.equal(0);
    return JSON.parse(output === '' ? '[]' : output) as readonly Change[];
  }

  /** The rule that a change breaks, and the member that it concerns. Several operations may have the same change. */
  function kindOf({ id, text }: Change): string {
    const [, ofAnswer, ofRequest] = /`(?:\w+\/)*(\w+)` response property|request property `(\w+)`/.exec(text) ?? [];
    return `${id} ${ofAnswer ?? ofRequest ?? text}`;
  }

  it('breaks no client, except in what is listed with its reason', async () => {
    const changes = await breakingChanges(readFileSync(RELEASED, 'utf8'), current);
    const deliberate = JSON.parse(readFileSync(DELIBERATE, 'utf8')) as Readonly<Record<string, string>>;
    expect([...new Set(changes.map(kindOf))]).to.have.members(Object.keys(deliberate));
  });

  it('would break clients without getPet, before the day of its removal', async () => {
    const changes = await breakingChanges(current, without(current, '/pets/{petId}'));
    expect(changes.map(({ id }) => id)).to.deep.equal(['api-path-removed-before-sunset']);
  });
});

function without(text: string, path: string): string {
  const document = JSON.parse(text) as Document;
  const { [path]: _removed, ...paths } = document.paths;
  return JSON.stringify({ ...document, paths });
}
