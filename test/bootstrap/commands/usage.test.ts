import { expect } from 'chai';
import { readFile } from 'node:fs/promises';
import { BUILT_IN_STORES } from '../../../src/bootstrap/modules/built-in-stores.js';
import type { Settings } from '../../../src/bootstrap/settings/setting.js';
import { outcomeOf } from '../../support/command.js';
import { answersOf, linesOf, printedBy, refusalOf } from '../outcome.js';

const MANIFEST = new URL('../../../package.json', import.meta.url);

/** Every flag of `serve` with its variable and its default, as the help has to show them. */
const SERVE_FLAGS = [
  ['--host', 'HOST', '127.0.0.1'],
  ['--port', 'PORT', '3000'],
  ['--store', 'STORE', 'memory'],
  ['--mongodb-deadline', 'MONGODB_DEADLINE', '5000'],
  ['--sqlite-file', 'SQLITE_FILE', 'animal-store.db'],
  ['--animals', '', '(default none)'],
  ['--base-url', 'BASE_URL', '/v1'],
  ['--staging-base-url', 'STAGING_BASE_URL', ''],
  ['--body-limit', 'BODY_LIMIT', '65536'],
  ['--cors-origin', 'CORS_ORIGIN', 'none'],
  ['--trust-proxy', 'TRUST_PROXY', '(default none)'],
  ['--rate-limit', 'RATE_LIMIT', 'no limit'],
  ['--max-connections', 'MAX_CONNECTIONS', '10000'],
  ['--max-in-flight', 'MAX_IN_FLIGHT', '1000'],
  ['--max-unsent', 'MAX_UNSENT', '(default 64MiB)'],
  ['--metrics-port', 'METRICS_PORT', '(default none)'],
  ['--log-level', 'LOG_LEVEL', 'info'],
  ['--shutdown-timeout', 'SHUTDOWN_TIMEOUT', '10000'],
  ['--keep-alive-timeout', 'KEEP_ALIVE_TIMEOUT', '65s'],
  ['--env-file', '', ''],
] as const;

/** Each `keys` command with its own flags; none of the others' may be in its help. */
const KEYS_FLAGS: Readonly<Record<string, readonly string[]>> = {
  create: ['--name', '--expires'],
  list: ['--json'],
  rotate: ['--overlap'],
  revoke: [],
};

const COMMANDS = [
  'serve',
  'import',
  'export',
  'restore',
  ...Object.keys(KEYS_FLAGS).map((action) => `keys ${action}`),
  'migrate',
  'backup',
  'openapi',
  'health',
  'version',
];

/** The help that these arguments print. */
async function helpBy(...args: string[]): Promise<string> {
  return printedBy(args);
}

/** The only error that these arguments lead to. */
async function errorBy(...args: string[]): Promise<string | undefined> {
  const { errors } = await refusalOf(args);
  expect(errors).to.have.lengthOf(1);
  return errors[0];
}

describe('animal-store', () => {
  describe('help', () => {
    let help: string;

    before(async () => (help = await helpBy('help')));

    for (const command of COMMANDS) {
      it(`shows ${command} with what it does`, () => {
        expect(help).to.match(new RegExp(`^  animal-store ${command}( <\\w+>)?  +\\w`, 'm'));
      });
    }

    it('is the same as --help, -h and help help', async () => {
      for (const args of [['--help'], ['-h'], ['help', 'help']]) expect(await helpBy(...args)).to.equal(help);
    });
  });

  describe('serve --help', () => {
    let help: string;

    before(async () => (help = await helpBy('serve', '--help')));

    for (const [flag, variable, fallback] of SERVE_FLAGS) {
      it(`shows ${flag}, ${variable} and the default in one line`, () => {
        expect(lineOf(flag, help)).to.include(variable).and.to.include(fallback);
      });
    }

    for (const variable of ['API_KEYS', 'MONGODB_URL']) {
      it(`shows ${variable}, which has no flag`, () => {
        expect(lineOf(variable, help)).to.not.include('--');
      });
    }

    it('shows no flag of another command', () => {
      const flags = flagsIn(help).filter((flag) => flag !== '--no-migrate');
      expect(flags).to.deep.equal(SERVE_FLAGS.map(([flag]) => flag));
    });

    it('shows --no-migrate, which has no variable', () => {
      expect(lineOf('--no-migrate', help)).to.not.match(/[A-Z]_[A-Z]/);
    });

    it('is the same as help serve and serve -h, even between other arguments', async () => {
      const runs = [
        ['help', 'serve'],
        ['serve', '-h'],
        ['serve', '--port', 'x', '--help', '--nonsense'],
      ];
      for (const args of runs) expect(await helpBy(...args), args.join(' ')).to.equal(help);
    });
  });

  for (const [action, own] of Object.entries(KEYS_FLAGS)) {
    it(`keys ${action} --help shows the flags of that command alone`, async () => {
      const help = await helpBy('keys', action, '--help');
      expect(flagsIn(help)).to.deep.equal([...own, '--store', '--mongodb-deadline', '--sqlite-file', '--env-file']);
      expect(help).to.include(`Usage: animal-store keys ${action}`);
      expect(await helpBy('help', 'keys', action)).to.equal(help);
    });
  }

  it('keys create --help shows the settings of the stores that keep keys, and of no other', async () => {
    const help = await helpBy('keys', 'create', '--help');
    for (const { keepsKeys, settings } of BUILT_IN_STORES) {
      for (const { variable = '' } of Object.values<Settings[string]>(settings)) {
        expect(help.includes(variable), variable).to.equal(keepsKeys);
      }
    }
  });

  it('version --help shows no flags', async () => {
    expect(await helpBy('version', '--help')).to.equal('Usage: animal-store version\n\nPrint the version.\n');
  });

  it('keys --help shows the commands of that group alone', async () => {
    const help = await helpBy('keys', '--help');
    for (const action of Object.keys(KEYS_FLAGS)) expect(help).to.include(`animal-store keys ${action}`);
    expect(help).to.not.include('animal-store serve');
    expect(await helpBy('help', 'keys')).to.equal(help);
  });

  it('prints its version alone, and ends with 0', async () => {
    expect(await outcomeOf(['-v'])).to.deep.equal({ code: 0, stdout: await printedBy(['version']), stderr: '' });
  });

  it('prints its version for version, --version and -v', async () => {
    const { version } = JSON.parse(await readFile(MANIFEST, 'utf8')) as { version: string };
    const answers = await answersOf([['version'], ['--version'], ['-v'], ['version', '-h']]);
    expect(answers).to.deep.equal([
      ...Array.from({ length: 3 }, () => `${version}\n`),
      await helpBy('help', 'version'),
    ]);
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
      const error = await errorBy(...given.split(' '));
      expect(error).to.match(
        /^(?:quux is not a command: it must be serve, import, export, restore, keys, migrate, backup, openapi, health, version or help|keys quux is not a command: it must be keys create, list, rotate or revoke)$/,
      );
    });
  }

  it('repeats an unknown word of up to 16 letters and hyphens, and no other, which may be a secret', async () => {
    const [known, secret] = [
      ['a', 'a'.repeat(16), 'no-such-word'],
      ['a'.repeat(17), '1a', 'a1', 'a--b', '-'],
    ];
    const commands = 'serve, import, export, restore, keys, migrate, backup, openapi, health, version or help';
    expect(await answersOf([...known, ...secret].map((word) => [word]))).to.deep.equal([
      ...known.map((word) => [`${word} is not a command: it must be ${commands}`]),
      ...secret.map(() => [`missing command: ${commands}`]),
    ]);
  });

  for (const args of [[], ['--port', '0'], ['__proto__']]) {
    it(`asks for a command if there is none in "${args.join(' ')}"`, async () => {
      expect(await errorBy(...args)).to.equal(
        'missing command: serve, import, export, restore, keys, migrate, backup, openapi, health, version or help',
      );
    });
  }

  for (const args of [['keys'], ['keys', '--name', 'anna']]) {
    it(`asks for a subcommand if there is none in "${args.join(' ')}"`, async () => {
      expect(await errorBy(...args)).to.equal('missing subcommand: keys create, list, rotate or revoke');
    });
  }

  for (const [flag, meant] of [
    ['--prot', '--port'],
    ['--log-levle', '--log-level'],
    ['--Store', '--store'],
  ] as const) {
    it(`names the unknown flag ${flag}, and the nearest known one`, async () => {
      const error = await errorBy('serve', `${flag}=x`);
      expect(error).to.equal(`${flag} is not a flag of this command: did you mean ${meant}?`);
    });
  }

  it('names an unknown flag alone if none is near', async () => {
    expect(await errorBy('serve', '--colour')).to.equal('--colour is not a flag of this command');
  });

  it('says where a secret belongs that is given as a flag', async () => {
    const error = await errorBy('serve', '--mongodb-url=x');
    expect(error).to.equal('--mongodb-url is not a flag of this command: set MONGODB_URL in the environment');
  });
});

/** The line of a help about a flag or variable. */
function lineOf(name: string, help: string): string {
  const line = linesOf(help).find((each) => each.trim().startsWith(`${name} `));
  if (line === undefined) throw new Error(`${name} has no line in\n${help}`);
  return line;
}

/** Every flag that a line of a help begins with. */
function flagsIn(help: string): string[] {
  return [...help.matchAll(/^ {2}(--[a-z-]+)/gm)].map((match) => match[1] as string);
}
