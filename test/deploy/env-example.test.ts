import { expect } from 'chai';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { errorOfMongodbUrl } from '../../src/adapters/mongodb/client.js';
import { SERVE_SETTINGS } from '../../src/bootstrap/settings/settings.js';
import { apiKeys } from '../../src/bootstrap/settings/values.js';
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

describe('deploy/.env.example', () => {
  it('has every variable of the command, and no other', () => {
    expect(Object.keys(ALL), 'a setting goes into deploy/.env.example').to.have.members([...VARIABLES.keys()]);
  });

  it('shows each default, and an example for each variable without one, which is not in force', () => {
    for (const [variable, fallback] of VARIABLES) {
      const place = `${variable} in deploy/.env.example`;
      // The file is for those who want to keep their animals.
      if (variable === 'STORE') expect(ALL[variable]).to.equal('sqlite');
      else if (fallback !== '') expect(ALL[variable], place).to.equal(fallback);
      else {
        expect(ALL[variable], place).to.match(/./);
        expect(IN_FORCE).not.to.have.property(variable);
      }
    }
  });

  it('has no quotes and no comments after values, which Node, systemd and Docker read differently', () => {
    for (const line of IN_FULL.split('\n').filter((each) => /^[A-Z_]+=/.test(each))) {
      expect(line).to.match(/^[A-Z_]+=[^\s"'`#]+$/);
    }
  });

  it('lets the command serve on the file that it names, once a key is made', async function () {
    if (!HAS_SQLITE) skip(this, 'node:sqlite needs Node.js 22.13 or newer');
    const folder = makeTemporaryFolder();
    const file = join(folder, '.env');
    writeFileSync(file, TEXT.replace('SQLITE_FILE=', `SQLITE_FILE=${folder}/`));
    const { loader, cli } = builtOrSource();
    const run = (...words: readonly string[]): Child =>
      Child.start(process.execPath, [...loader, `--env-file=${file}`, cli, ...words]);
    expect(await run('keys', 'create', '--name', 'front-end').exited).to.include({ code: 0 });
    expect((await listening(run('serve', '--port', '0'))).url).to.match(/\/v1$/);
  });

  it('has examples that the command accepts', () => {
    for (const option of Object.values(SERVE_SETTINGS)) {
      const text = ALL[option.envVar ?? ''];
      if (text !== undefined) expect(() => option.parseArg?.(text, undefined), option.envVar).not.to.throw();
    }
    expect(() => apiKeys(ALL['API_KEYS'] ?? '')).not.to.throw();
    expect(errorOfMongodbUrl(ALL['MONGODB_URL'] ?? '')).to.equal(undefined);
  });
});
