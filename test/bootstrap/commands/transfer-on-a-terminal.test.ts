import { expect } from 'chai';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { timeLeft } from '../../../src/bootstrap/commands/progress.js';
import { Child } from '../../support/child.js';
import { builtOrSource } from '../../support/command.js';
import { eventually } from '../../support/eventually.js';
import { listenOnFreePort } from '../../support/listen-on-free-port.js';
import { needs } from '../../support/needs.js';
import { makeTemporaryFolder } from '../../support/temporary-folder.js';
import { runOnTerminal } from '../terminal.js';

/** How many animals the service takes before it keeps each further request waiting. */
const TAKEN = 100;
/** So many that a part of the file is not read yet when the service keeps requests waiting. */
const ANIMALS = 1000;

const PET = { name: 'x'.repeat(1000), categoryId: 7 };
const BAR = /\[#+-*\] \d+ % {2}100 {2}\d+\/s {2}(?:\d+h\d\dm|\d+m\d\ds|\d+s) left/;

describe('animal-store import on a terminal', () => {
  let isHeld: boolean;
  let waiting: (() => void)[];
  let child: Child;

  /** The arguments that import a file through a service, which keeps requests waiting when it has taken some of its animals. */
  async function importing(): Promise<string> {
    [isHeld, waiting] = [true, []];
    let asked = 0;
    const server = createServer((request, response) => {
      const body = JSON.stringify({ id: 1, ...PET });
      const answer = (): void => void response.writeHead(201, { 'Content-Type': 'application/json' }).end(body);
      request.resume().on('end', () => (++asked > TAKEN && isHeld ? waiting.push(answer) : answer()));
    });
    const url = `http://127.0.0.1:${await listenOnFreePort(server)}/v1`;
    const file = join(makeTemporaryFolder(), 'a.ndjson');
    writeFileSync(file, `${JSON.stringify(PET)}\n`.repeat(ANIMALS));
    return `import ${file} --url=${url}`;
  }

  const env = { API_KEY: 'a-key-of-more-than-16', TERM: 'xterm' };

  async function importSome(context: Mocha.Context): Promise<string> {
    child = runOnTerminal(context, await importing(), { env, stdin: 'pipe' });
    return child.find(() => BAR.exec(child.stdout)?.[0]);
  }

  it('draws a bar with the count, the rate and the time left, and then says what was done in which time', async function () {
    expect((await importSome(this)).length).to.be.lessThan(80);
    isHeld = false;
    for (const answer of waiting) answer();
    expect((await child.exited).code).to.equal(0);
    // The bar is cleared before the last line.
    expect(child.stdout.split('\u001b[2K').at(-1)).to.match(/^imported 1000 animals in \d+\.\d s\r\n$/);
  });

  it('removes the bar after Ctrl-C, says that the same command continues, and ends as by the signal', async function () {
    await importSome(this);
    child.write('\u0003');
    // 128 and the number of SIGINT: `script` returns it as a shell does.
    expect((await child.exited).code).to.equal(130);
    expect(child.stdout.split('\u001b[2K').at(-1)).to.equal('interrupted: run the same command again to continue\r\n');
  });

  it('ends also as process 1 of a container, where a signal without a listener does nothing', async function () {
    const sandbox = ['--dev-bind', '/', '/', '--proc', '/proc', '--unshare-pid', '--as-pid-1', '--'];
    needs(this, 'bwrap', [...sandbox, 'true']);
    const { loader, cli } = builtOrSource();
    const words = [process.execPath, ...loader, cli, ...(await importing()).split(' ')];
    child = Child.start('bwrap', [...sandbox, ...words], { env, isGroup: true });
    await eventually(() => (waiting.length > 0 ? true : undefined));
    child.kill('SIGTERM');
    // Settles when the last process has closed the outputs.
    await child.exited;
    expect(child.stderr).to.equal('interrupted: run the same command again to continue\n');
  });
});

describe('the time left', () => {
  for (const [what, seconds, bytes, size, expected] of [
    ['before anything was read', 5, 0, 100, undefined],
    ['after everything was read', 5, 100, 100, undefined],
    ['if the size is not known', 5, 10, 0, undefined],
    ['at the beginning', 0, 1, 100, '0s'],
    ['in seconds', 10.1, 50, 100, '11s'],
    ['in minutes', 65, 1, 2, '1m05s'],
    ['in hours', 3600 * 200, 1, 2, '200h00m'],
  ] as const) {
    it(`is ${expected ?? 'left out'} ${what}`, () => expect(timeLeft(seconds, bytes, size)).to.equal(expected));
  }
});
