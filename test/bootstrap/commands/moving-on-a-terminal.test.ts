import { expect } from 'chai';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { listenOnFreePort } from '../../support/listen-on-free-port.js';
import { makeTemporaryFolder } from '../../support/temporary-folder.js';
import { runOnTerminal } from '../terminal.js';

/** How many animals the service takes before it keeps each further request waiting. */
const TAKEN = 100;

const PET = JSON.stringify({ id: 1, name: 'Rex', categoryId: 7 });

describe('animal-store import on a terminal', () => {
  it('draws a bar with the count, the rate and the time left, and then says what was done in which time', async function () {
    const waiting: (() => void)[] = [];
    let asked = 0;
    const server = createServer((request, response) => {
      const answer = (): void => void response.writeHead(201, { 'Content-Type': 'application/json' }).end(PET);
      request.resume().on('end', () => (++asked > TAKEN ? waiting.push(answer) : answer()));
    });
    const url = `http://127.0.0.1:${await listenOnFreePort(server)}/v1`;
    const file = join(makeTemporaryFolder(), 'a.ndjson');
    writeFileSync(file, '{"name":"Rex","categoryId":7}\n'.repeat(TAKEN + 20));
    const env = { API_KEY: 'a-key-of-more-than-16', TERM: 'xterm' };
    const child = runOnTerminal(this, `import ${file} --url=${url}`, { env });
    const line = await child.find(() => /\[#+-*\] \d+ % {2}100 {2}\d+\/s {2}\S+ left/.exec(child.stdout)?.[0]);
    expect(line.length).to.be.lessThan(80);
    for (const answer of waiting) answer();
    expect((await child.exited).code).to.equal(0);
    // The bar is cleared before the last line.
    expect(child.stdout.split('\u001b[2K').at(-1)).to.match(/^imported 120 animals in \d+\.\d s\r\n$/);
  });
});
