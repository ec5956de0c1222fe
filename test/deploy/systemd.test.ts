import { expect } from 'chai';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLI, DEPENDENCIES, makeProject, MANIFEST } from '../package/project.js';
import { Child } from '../support/child.js';
import { listening } from '../support/command.js';
import { needs } from '../support/needs.js';
import { request } from '../support/request.js';
import { HAS_SQLITE, newDatabaseFile } from '../support/sqlite.js';
import { makeTemporaryFolder } from '../support/temporary-folder.js';
import { deployFile, unitSettings } from './known-settings.js';

const KEY = 'a-key-of-more-than-16';
/** How long a traced server, many times as slow as one that is not, may take to listen, in milliseconds. */
const TRACED_START_DEADLINE = 240_000;

/** The greatest exposure that is accepted, in tenths: from 0, none, to 100. */
const EXPOSURE = 15;

describe('the systemd unit', function () {
  this.timeout(TRACED_START_DEADLINE + 120_000);
  let folder: string;

  before(function () {
    needs(this, 'systemd-analyze', ['--version']);
    folder = makeTemporaryFolder();
  });

  it(`has no fault, and exposes the machine by ${EXPOSURE / 10} of 10 at most, as systemd-analyze reckons`, () => {
    const unit = join(folder, 'animal-store.service');
    // systemd-analyze asks whether the program is there, and Node may be somewhere else on this machine.
    writeFileSync(unit, deployFile('systemd/animal-store.service').replace('/usr/bin/node', process.execPath));
    for (const args of [['verify'], ['security', '--offline=true', '--no-pager', `--threshold=${EXPOSURE}`]]) {
      const { status, stdout, stderr } = spawnSync('systemd-analyze', [...args, unit], { encoding: 'utf8' });
      expect(status, stdout + stderr).to.equal(0);
      expect(stderr).not.to.include('animal-store');
    }
  });

  it('runs the command of the package, and has a key made by it, as the same user, with the same settings', () => {
    const command = `/usr/bin/node /opt/animal-store/node_modules/animal-store/${MANIFEST.bin['animal-store']}`;
    expect(unitSettings('ExecStart')).to.deep.equal([`${command} serve`]);
    const [, step = ''] =
      /^# {3}sudo (systemd-run .*?) keys create /ms.exec(deployFile('systemd/animal-store.service')) ?? [];
    expect(step).to.include(command);
    for (const name of ['DynamicUser', 'StateDirectory', 'UMask', 'EnvironmentFile']) {
      expect(step).to.include(`--property=${name}=${unitSettings(name).join()} `);
    }
    // The user of a unit has its name if it has no other.
    expect(step).to.include('--property=User=animal-store ');
  });

  it('allows the system calls that the server and its threads make, on an SQLite file if there is node:sqlite', async function () {
    needs(this, 'strace', ['-qq', '-o', '/dev/null', 'true']);
    const allowed = new Set<string>();
    for (const value of unitSettings('SystemCallFilter')) {
      for (const call of value.replace(/^~/, '').split(' ').flatMap(callsOf)) {
        if (value.startsWith('~')) allowed.delete(call);
        else allowed.add(call);
      }
    }
    const file = join(folder, 'calls');
    const command = [process.execPath, join(makeProject(DEPENDENCIES), CLI), 'serve', '--port', '0'];
    if (HAS_SQLITE) command.push('--store', 'sqlite', '--sqlite-file', newDatabaseFile());
    const server = Child.start('strace', ['-f', '-qq', '-e', 'signal=none', '-o', file, ...command], {
      env: { API_KEYS: `tests:${KEY}` },
    });
    const { port } = await listening(server, TRACED_START_DEADLINE);
    const body = '{"name":"Rex","categoryId":7}';
    expect((await request(port, 'POST', '/v1/pets', { key: KEY, body })).status).to.equal(201);
    // strace keeps SIGTERM from the process that it traces, whose id begins each of its lines.
    process.kill(Number.parseInt(readFileSync(file, 'utf8'), 10), 'SIGTERM');
    expect((await server.exited).code).to.equal(0);
    const made = new Set([...readFileSync(file, 'utf8').matchAll(/^\d+ +([a-z]\w*)\(/gm)].map(([, name = '']) => name));
    expect(made).to.include('accept4');
    // SQLite changes the owner of its files only for root, which the service is not.
    if (HAS_SQLITE && process.getuid?.() === 0) made.delete('fchown');
    expect([...made].filter((call) => !allowed.has(call))).to.deep.equal([]);
  });
});

/** The system calls of a group such as `@io-event`, with those of the groups in it; of any other name, itself. */
function callsOf(name: string): readonly string[] {
  if (!name.startsWith('@')) return [name];
  const output = execFileSync('systemd-analyze', ['--no-pager', 'syscall-filter', name], { encoding: 'utf8' });
  const [, ...members] = output.split('\n').map((line) => line.trim());
  return members.filter((line) => line !== '' && !line.startsWith('#')).flatMap(callsOf);
}
