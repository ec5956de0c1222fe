import { expect } from 'chai';
import { readFile } from 'node:fs/promises';
import { outcomeOf } from '../../support/command.js';
import { printedBy, refusalOf } from '../outcome.js';

const MANIFEST = new URL('../../../package.json', import.meta.url);
const COMMANDS = 'serve, import, export, restore, keys, migrate, backup, openapi, health, version or help';
const SUBCOMMANDS = 'keys create, list, rotate or revoke';

/** The help that the words of a command line print. */
async function helpBy(words: string): Promise<string> {
  return printedBy(words.split(' '));
}

/** The only error that these arguments lead to. */
async function errorBy(...args: string[]): Promise<string | undefined> {
  const { errors } = await refusalOf(args);
  expect(errors).to.have.lengthOf(1);
  return errors[0];
}

describe('animal-store', () => {
  for (const [words, others] of [
    ['help', ['--help', '-h', 'help help']],
    ['help serve', ['serve --help', 'serve -h', 'serve --port x --help --nonsense']],
    ['help keys', ['keys --help']],
    ['help keys create', ['keys create --help']],
  ] as const) {
    it(`prints the same for ${[words, ...others].join(', ')}`, async () => {
      const help = await helpBy(words);
      for (const other of others) expect(await helpBy(other), other).to.equal(help);
    });
  }

  it('prints its version for version, --version and -v, and ends with 0', async () => {
    const { version } = JSON.parse(await readFile(MANIFEST, 'utf8')) as { version: string };
    expect(await outcomeOf(['-v'])).to.deep.equal({ code: 0, stdout: `${version}\n`, stderr: '' });
    for (const word of ['version', '--version']) expect(await printedBy([word])).to.equal(`${version}\n`);
  });

  for (const [given, meant] of Object.entries({
    Serve: 'serve',
    sevre: 'serve',
    key: 'keys',
    'keys creat': 'keys create',
    'keys lst': 'keys list',
    'help kyes': 'keys',
  })) {
    it(`names the unknown command of "${given}", and the nearest known one`, async () => {
      const unknown = given.replace('help ', '');
      expect(await errorBy(...given.split(' '))).to.equal(`${unknown} is not a command: did you mean ${meant}?`);
    });
  }

  for (const given of ['quux', 'keys quux', 'help quux', 'help keys quux', 'quux --help']) {
    it(`names the unknown command of "${given}", and every known one if none is near`, async () => {
      const unknown = given.includes('keys') ? `keys quux is not a command: it must be ${SUBCOMMANDS}` : undefined;
      const error = await errorBy(...given.split(' '));
      expect(error).to.equal(unknown ?? `quux is not a command: it must be ${COMMANDS}`);
    });
  }

  it('repeats an unknown word of up to 16 letters and hyphens, and no other, which may be a secret', async () => {
    for (const word of ['a', 'a'.repeat(16), 'no-such-word']) {
      expect(await errorBy(word)).to.equal(`${word} is not a command: it must be ${COMMANDS}`);
    }
    for (const word of ['a'.repeat(17), '1a', 'a1', 'a--b', '-']) {
      expect(await errorBy(word)).to.equal(`missing command: ${COMMANDS}`);
    }
  });

  it('asks for a command or a subcommand if there is none', async () => {
    for (const args of [[], ['--port', '0'], ['__proto__']]) {
      expect(await errorBy(...args)).to.equal(`missing command: ${COMMANDS}`);
    }
    for (const args of [['keys'], ['keys', '--name', 'anna']]) {
      expect(await errorBy(...args)).to.equal(`missing subcommand: ${SUBCOMMANDS}`);
    }
  });
});
