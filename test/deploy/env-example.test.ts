import { expect } from 'chai';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { errorOfMongodbUrl } from '../../src/adapters/mongodb/mongodb-url.js';
import { Child } from '../support/child.js';
import { builtOrSource, listening } from '../support/command.js';
import { skip } from '../support/skip.js';
import { HAS_SQLITE } from '../support/sqlite.js';
import { makeTemporaryFolder } from '../support/temporary-folder.js';
import { deployFile, VARIABLES } from './known-settings.js';

const TEXT = deployFile('.env.example');
/** The same with every variable in force: those that are commented out too. */
const IN_FULL = TEXT.replace(/^# ([A-Z_]+=)/gm, '$1');
const IN_FORCE = parseEnv(TEXT);
const ALL = parseEnv(IN_FULL);

/** Variables that have no default, so that the file shows an example. */
const EXAMPLES = [...VARIABLES].flatMap(([variable, fallback]) => (fallback === '' ? [variable] : []));

describe('deploy/.env.example', () => {
  let folder: string;

  beforeEach(() => {
    folder = makeTemporaryFolder();
  });

  /** Runs `animal-store` with the variables of a file with this text. */
  function run(text: string, ...words: readonly string[]): Child {
    const file = join(folder, '.env');
    writeFileSync(file, text);
    const { loader, cli } = builtOrSource();
    return Child.start(process.execPath, [...loader, `--env-file=${file}`, cli, ...words]);
  }

  it('has every variable of the command, and no other', () => {
    expect(Object.keys(ALL), 'a setting goes into deploy/.env.example').to.have.members([...VARIABLES.keys()]);
  });

  it('shows each default', () => {
    for (const [variable, fallback] of VARIABLES) {
      // The file is for those who want to keep their animals.
      if (variable === 'STORE') expect(ALL[variable]).to.equal('sqlite');
      else if (fallback !== '') expect(ALL[variable], `${variable} in deploy/.env.example`).to.equal(fallback);
    }
  });

  it('has an example for each variable without a default, and none in force', () => {
    for (const variable of EXAMPLES) {
      expect(ALL[variable], `${variable} in deploy/.env.example`).to.match(/./);
      expect(IN_FORCE).not.to.have.property(variable);
    }
  });

  it('has no quotes and no comments after values, which Node, systemd and Docker read differently', () => {
    for (const line of IN_FULL.split('\n').filter((each) => /^[A-Z_]+=/.test(each))) {
      expect(line).to.match(/^[A-Z_]+=[^\s"'`#]+$/);
    }
  });

  it('lets the command serve on the file that it names, once a key is made', async function () {
    if (!HAS_SQLITE) skip(this, 'node:sqlite needs Node.js 22.13 or newer');
    const text = TEXT.replace('SQLITE_FILE=', `SQLITE_FILE=${folder}/`);
    const keys = run(text, 'keys', 'create', '--name', 'front-end');
    expect(await keys.exited).to.include({ code: 0 });
    const command = run(text, 'serve', '--port', '0');
    expect((await listening(command)).url).to.match(/\/v1$/);
  });

  it('lets the command serve in memory as it is', async () => {
    const command = run(TEXT, 'serve', '--store', 'memory', '--port', '0');
    expect((await listening(command)).url).to.match(/^http:\/\/127\.0\.0\.1:\d+\/v1$/);
    expect(await command.stop()).to.deep.equal({ code: 0, signal: null });
  });

  it('has examples that the command accepts', async () => {
    const text = IN_FULL.replace(/^(STORE|MONGODB_URL)=.*\n/gm, '');
    // Both ports may be taken on this machine.
    const command = run(text, 'serve', '--port', '0', '--metrics-port', '0');
    expect((await listening(command)).url).to.match(/\/v1$/);
  });

  it('has an example of a MongoDB URL whose form the command accepts', () => {
    expect(errorOfMongodbUrl(ALL['MONGODB_URL'] ?? '')).to.equal(undefined);
  });
});
