import { expect } from 'chai';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Child, ROOT } from './child.js';
import { makeTemporaryFolder } from './temporary-folder.js';

const UNTIL = new URL('until.ts', import.meta.url).href;

describe('until', () => {
  it('lets the process end if its condition never holds and the time-out ends the test', async () => {
    const file = join(makeTemporaryFolder(), 'waiting.test.ts');
    writeFileSync(
      file,
      `import { until } from '${UNTIL}';
       it('waits', async () => until(() => false)).timeout(200);`,
    );
    const mocha = Child.startNode([join(ROOT, 'node_modules/mocha/bin/mocha.js'), '--config', '.mocharc.json', file]);
    expect(await mocha.exited).to.deep.equal({ code: 1, signal: null });
    expect(mocha.stdout).to.include('Timeout of 200ms exceeded');
  });
});
