import { expect } from 'chai';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import type { Environment } from '../../support/child.js';
import { outcomeOf } from '../../support/command.js';
import { listenOnFreePort } from '../../support/listen-on-free-port.js';
import { makeTemporaryFolder } from '../../support/temporary-folder.js';
import { runOnTerminal } from '../terminal.js';

/** How many animals the service takes before it keeps each further request waiting. */
const TAKEN = 100;

const PET = JSON.stringify({ id: 1, name: 'Rex', categoryId: 7 });

describe('animal-store import on a terminal', () => {
  let folder: string;
  let file: string;
  let waiting: (() => void)[];
  let isOpen: boolean;
  let args: readonly string[];
  const env: Environment = { API_KEY: 'a-key-of-more-than-16', TERM: 'xterm' };

  beforeEach(async () => {
    folder = makeTemporaryFolder();
    file = join(folder, 'a.ndjson');
    waiting = [];
    let asked = 0;
    isOpen = false;
    const server = createServer((request, response) => {
      const answer = (): void => void response.writeHead(201, { 'Content-Type': 'application/json' }).end(PET);
      request.resume().on('end', () => (!isOpen && ++asked > TAKEN ? waiting.push(answer) : answer()));
    });
    args = ['import', file, `--url=http://127.0.0.1:${await listenOnFreePort(server)}/v1`];
  });

  /** Writes a file of so many animals. */
  const animals = (count: number): void => writeFileSync(file, '{"name":"Rex","categoryId":7}\n'.repeat(count));

  /** Answers the requests that wait, and all that come. */
  const answerAll = (): void => {
    isOpen = true;
    for (const answer of waiting.splice(0)) answer();
  };

  it('draws a bar with the count, the rate and the time left, and then says what was done in which time', async function () {
    animals(TAKEN + 20);
    const child = runOnTerminal(this, args.join(' '), { env });
    const line = await child.find(() => /\[#+-*\] \d+ % {2}100 {2}\d+\/s {2}\S+ left/.exec(child.stdout)?.[0]);
    expect(line.length).to.be.lessThan(80);
    answerAll();
    expect((await child.exited).code).to.equal(0);
    // The bar is cleared before the last line.
    expect(child.stdout.split('\u001b[2K').at(-1)).to.match(/^imported 120 animals in \d+\.\d s\r\n$/);
  });

  it('draws nothing if the standard error stream is not a terminal', async () => {
    animals(TAKEN);
    const { code, stdout, stderr } = await outcomeOf(args, env);
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
    expect(stdout).to.match(/^imported 100 animals in \d+\.\d s\n$/);
  });

  it('ends at Ctrl-C, and is completed by the same command', async function () {
    animals(TAKEN + 200);
    const child = runOnTerminal(this, args.join(' '), { env, stdin: 'pipe' });
    await child.find(() => (child.stdout.includes('  100  ') ? true : undefined));
    child.write('\u0003');
    expect((await child.exited).code).to.equal(130);
    answerAll();
    const { code, stdout } = await outcomeOf(args, env);
    expect(code).to.equal(0);
    expect(stdout).to.match(/^imported 300 animals in/);
  });
});
