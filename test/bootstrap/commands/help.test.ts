import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { helpOf, overview } from '../../../src/bootstrap/commands/help.js';
import { createKey, rotateKey } from '../../../src/bootstrap/commands/keys.js';
import { serve } from '../../../src/bootstrap/commands/serve.js';
import { switchFlag } from '../../../src/bootstrap/settings/setting.js';
import { linesOf, printedBy } from '../outcome.js';
import { runOnTerminal } from '../terminal.js';

/** The words of a text, whatever stands between them. */
const wordsOf = (text: string): string[] => text.split(/\s+/);

/** What each command line of `help.txt` prints. A change of the help is to show there. */
const PRINTED = new Map(
  readFileSync(new URL('help.txt', import.meta.url), 'utf8')
    .split(/^\$ animal-store /m)
    .slice(1)
    .map((part) => [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n') + 1).replace(/\n\n$/, '\n')]),
);
const WHERE_HELP_IS = 'by test/bootstrap/commands/help.txt';
const IN_COLUMNS = /^help keys rotate # in (\d+) columns$/;

describe('the help of a command', () => {
  it('is as help.txt has it', async () => {
    const whole = [...PRINTED].filter(([line]) => !IN_COLUMNS.test(line));
    for (const [line, text] of whole) {
      expect(await printedBy(line.split(' ')), `${line}, ${WHERE_HELP_IS}`).to.equal(text);
    }
  });

  for (const [line, text] of PRINTED) {
    const [, columns] = IN_COLUMNS.exec(line) ?? [];
    if (columns !== undefined) {
      it(`is as help.txt has it: ${line}`, () => {
        expect(helpOf(rotateKey, Number(columns)), WHERE_HELP_IS).to.equal(text);
      });
    }
  }

  const whole = helpOf(serve, Infinity);

  for (const width of [40, 50, 60, 80, 120]) {
    it(`has no line longer than a terminal of ${width} columns`, () => {
      const commands = [serve, createKey];
      const helps = [overview(commands, width), ...commands.map((command) => helpOf(command, width))];
      const lines = helps.flatMap(linesOf);
      expect(lines.filter((line) => line.length > width)).to.deep.equal([]);
    });

    it(`says the same in ${width} columns`, () => {
      expect(wordsOf(helpOf(serve, width)).sort()).to.deep.equal(wordsOf(whole).sort());
    });
  }

  it('says nothing of variables if no setting has one', () => {
    const command = { ...rotateKey, settings: { json: switchFlag('json', 'print JSON') } };
    expect(helpOf(command, Infinity)).to.include('--json').and.not.to.include('environment');
  });

  it('is as wide as the terminal', async function () {
    const child = runOnTerminal(this, 'help serve', { columns: 70 });
    await child.exited;
    expect(child.stdout.replaceAll('\r', '')).to.equal(helpOf(serve, 70));
  });
});
