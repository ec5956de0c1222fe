import { expect } from 'chai';
import { readFile } from 'node:fs/promises';
import { outcomeOf, type Outcome } from '../support/command.js';
import { linesOf } from './outcome.js';

const MANIFEST = new URL('../../package.json', import.meta.url);

/** Every flag with its variable and its default, as the help has to show them. */
const SETTINGS = [
  ['--host', 'HOST', '127.0.0.1'],
  ['--port', 'PORT', '3000'],
  ['--store', 'STORE', 'memory'],
  ['--base-url', 'BASE_URL', '/v1'],
  ['--staging-base-url', 'STAGING_BASE_URL', ''],
  ['--body-limit', 'BODY_LIMIT', '65536'],
  ['--log-level', 'LOG_LEVEL', 'info'],
  ['--shutdown-timeout', 'SHUTDOWN_TIMEOUT', '10000'],
] as const;

describe('animal-store', () => {
  for (const args of [['--help'], ['-h'], ['serve', '--help'], ['keys', 'create', '--help']]) {
    describe(args.join(' '), () => {
      let outcome: Outcome;

      before(async () => (outcome = await outcomeOf(args)));

      it('prints the usage on standard output alone and ends with 0', () => {
        expect(outcome).to.include({ code: 0, stderr: '' });
        expect(outcome.stdout).to.match(/animal-store serve/);
      });

      for (const [flag, variable, fallback] of SETTINGS) {
        it(`shows ${flag}, ${variable} and the default in one entry`, () => {
          expect(entryOf(flag, outcome.stdout)).to.include(variable).and.to.include(fallback);
        });
      }

      for (const variable of ['API_KEYS', 'MONGODB_URL']) {
        it(`shows ${variable}`, () => {
          expect(outcome.stdout).to.match(new RegExp(`(^|\\s)${variable}\\b`));
        });
      }
    });
  }

  it('prints its version alone for --version', async () => {
    const { version } = JSON.parse(await readFile(MANIFEST, 'utf8')) as { version: string };
    expect(await outcomeOf(['--version'])).to.deep.equal({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  for (const args of [[], ['sell'], ['Serve'], ['__proto__']]) {
    it(`refuses ${args.length === 0 ? 'no command' : `the command ${args[0]}`} with a hint at the usage`, async () => {
      const { code, stdout, stderr } = await outcomeOf(args);
      expect({ code, stdout }).to.deep.equal({ code: 2, stdout: '' });
      expect(stderr)
        .to.match(/usage|--help/i)
        .and.not.to.match(/^\s+at /m);
    });
  }
});

/** The part of the help from a flag's line up to the next flag's. */
function entryOf(flag: string, help: string): string {
  const lines = linesOf(help);
  const first = lines.findIndex((line) => line.trim().startsWith(`${flag} `));
  if (first < 0) throw new Error(`${flag} has no line in\n${help}`);
  const length = lines.slice(first + 1).findIndex((line) => /^\s*(--|[A-Z_]{4,}\b)/.test(line));
  return lines.slice(first, length < 0 ? undefined : first + 1 + length).join('\n');
}
