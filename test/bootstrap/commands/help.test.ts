import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { helpOf } from '../../../src/bootstrap/commands/help.js';
import { createKey, rotateKey } from '../../../src/bootstrap/commands/keys.js';
import { serve } from '../../../src/bootstrap/commands/serve.js';
import { Child } from '../../support/child.js';
import { CLI_VARIABLE, outcomeOf } from '../../support/command.js';
import { skip } from '../../support/skip.js';
import { linesOf } from '../outcome.js';

const SOURCE = fileURLToPath(new URL('../../../src/bootstrap/cli.ts', import.meta.url));

/** The words of a text, whatever stands between them. */
const wordsOf = (text: string): string[] => text.split(/\s+/);

/** What each command line of `help.txt` prints. A change of the help is to show there. */
const PRINTED = new Map(
  readFileSync(new URL('help.txt', import.meta.url), 'utf8')
    .split(/^\$ animal-store /m)
    .slice(1)
    .map((part) => [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n') + 1).replace(/\n\n$/, '\n')]),
);

describe('the help of a command', () => {
  for (const [line, text] of PRINTED) {
    const [words = '', columns] = line.split(/ # in (\d+) columns$/);
    if (columns === undefined) {
      it(`is as help.txt has it: ${words}`, async () => {
        expect(await outcomeOf(words.split(' '))).to.deep.equal({ code: 0, stdout: text, stderr: '' });
      });
    } else {
      it(`is as help.txt has it, in ${columns} columns: ${words}`, () => {
        expect(helpOf(rotateKey, Number(columns))).to.equal(text);
      });
    }
  }

  const whole = helpOf(serve, Infinity);

  for (const width of [40, 50, 60, 80, 120]) {
    it(`has no line longer than a terminal of ${width} columns`, () => {
      const lines = [serve, createKey].flatMap((command) => linesOf(helpOf(command, width)));
      expect(lines.filter((line) => line.length > width)).to.deep.equal([]);
    });

    it(`says the same in ${width} columns`, () => {
      expect(wordsOf(helpOf(serve, width)).sort()).to.deep.equal(wordsOf(whole).sort());
    });
  }

  it('keeps the explanations of settings in a column of their own if there is room', () => {
    const lines = linesOf(helpOf(serve, 80));
    const column = lines.find((line) => line.includes('--host'))?.indexOf('the address') ?? 0;
    const next = lines[lines.findIndex((line) => line.includes('--store')) + 1] ?? '';
    expect(next.search(/\S/)).to.equal(column);
  });

  it('has one line for each setting if it goes to a file or another program', () => {
    expect(linesOf(whole).filter((line) => line.includes('--store'))).to.have.lengthOf(1);
  });

  it('is as wide as the terminal', async function () {
    if (!hasScript()) skip(this, 'there is no script of util-linux, which runs a command on a terminal');
    const built = process.env[CLI_VARIABLE];
    const cli = built ?? `--import ${import.meta.resolve('tsx')} ${SOURCE}`;
    const command = `stty cols 70; exec ${process.execPath} ${cli} help serve`;
    const child = Child.start('script', ['--quiet', '--return', '--command', command, '/dev/null']);
    await child.exited;
    expect(child.stdout.replaceAll('\r', '')).to.equal(helpOf(serve, 70));
  });
});

function hasScript(): boolean {
  try {
    return execFileSync('script', ['--version'], { encoding: 'utf8' }).includes('util-linux');
  } catch {
    return false;
  }
}
