import { expect } from 'chai';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Child } from '../support/child.js';
import { listening } from '../support/command.js';
import { request } from '../support/request.js';
import { skip } from '../support/skip.js';
import { HAS_SQLITE, newDatabaseFile } from '../support/sqlite.js';
import { makeTemporaryFolder } from '../support/temporary-folder.js';
import { CLI, DEPENDENCIES, makeProject, MANIFEST } from '../package/project.js';
import { deployFile, unitSettings } from './known-settings.js';
import { needs } from './needs.js';

const KEY = 'a-key-of-more-than-16';
/** How long a traced server, many times as slow as one that is not, may take to listen, in milliseconds. */
const TRACED_START_DEADLINE = 240_000;

/** The greatest exposure that is accepted, in tenths: from 0, none, to 100. */
const EXPOSURE = 15;

describe('the systemd unit', () => {
  let folder: string;
  let unit: string;

  before(function () {
    needs(this, 'systemd-analyze', ['--version']);
    folder = makeTemporaryFolder();
    unit = join(folder, 'animal-store.service');
    // systemd-analyze asks whether the program is there, and Node may be somewhere else on this machine.
    writeFileSync(unit, deployFile('systemd/animal-store.service').replace('/usr/bin/node', process.execPath));
  });

  it('has no fault that systemd-analyze verify finds', () => {
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' });
    expect({ status, faults: stderr.split('\n').filter((line) => line.includes('animal-store')) }).to.deep.equal({
      status: 0,
      faults: [],
    });
  });

  it(`exposes the machine by ${EXPOSURE / 10} at most of 10, as systemd-analyze security reckons`, () => {
    const args = ['security', '--offline=true', '--no-pager', `--threshold=${EXPOSURE}`, unit];
    const { status, stdout, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
    expect(status, stdout + stderr).to.equal(0);
  });

  it('runs the command of the package', () => {
    const path = `/node_modules/animal-store/${MANIFEST.bin['animal-store']} serve`;
    expect(unitSettings('ExecStart').join()).to.match(new RegExp(`^/usr/bin/node /opt/animal-store${path}$`));
  });

  it('has a key made by the user of the service, with its rights and its settings', () => {
    const [, step = ''] =
      /^# {3}sudo (systemd-run .*?) keys create /ms.exec(deployFile('systemd/animal-store.service')) ?? [];
    for (const name of ['DynamicUser', 'StateDirectory', 'UMask', 'EnvironmentFile']) {
      expect(step).to.include(`--property=${name}=${unitSettings(name).join()} `);
    }
    // The user of a unit has its name if it has no other.
    expect(step).to.include('--property=User=animal-store ');
    expect(step).to.include(
      unitSettings('ExecStart')
        .join()
        .replace(/ serve$/, ''),
    );
  });

  describe('allows the system calls that the server makes', function () {
    this.timeout(TRACED_START_DEADLINE + 120_000);
    const allowed = new Set<string>();

    before(function () {
      needs(this, 'strace', ['-qq', '-o', '/dev/null', 'true']);
      for (const value of unitSettings('SystemCallFilter')) {
        for (const name of value.replace(/^~/, '').split(' ')) {
          for (const call of callsOf(name)) {
            if (value.startsWith('~')) allowed.delete(call);
            else allowed.add(call);
          }
        }
      }
    });

    it('on the store in memory', async () => {
      const made = await systemCalls(join(folder, 'calls'), []);
      expect(made).to.include('accept4');
      expect(made.filter((call) => !allowed.has(call))).to.deep.equal([]);
    });

    it('on an SQLite file', async function () {
      if (!HAS_SQLITE) skip(this, 'node:sqlite needs Node.js 22.13 or newer');
      const flags = ['--store', 'sqlite', '--sqlite-file', newDatabaseFile()];
      const made = await systemCalls(join(folder, 'calls-of-sqlite'), flags);
      expect(made).to.include.members(['accept4', 'fsync']);
      // SQLite changes the owner of its files only for root, which the service is not.
      const asRoot = process.getuid?.() === 0 ? ['fchown'] : [];
      expect(made.filter((call) => !allowed.has(call) && !asRoot.includes(call))).to.deep.equal([]);
    });
  });
});

/**
 * The system calls that the packed server and its threads make from their start to their end, with a creation in between.
 *
 * @param file Where they are recorded.
 */
async function systemCalls(file: string, flags: readonly string[]): Promise<readonly string[]> {
  const cli = join(makeProject(DEPENDENCIES), CLI);
  const tracer = ['-f', '-qq', '-e', 'signal=none', '-o', file, process.execPath];
  const server = Child.start('strace', [...tracer, cli, 'serve', '--port', '0', ...flags], {
    env: { API_KEYS: `tests:${KEY}` },
  });
  const { port } = await listening(server, TRACED_START_DEADLINE);
  const body = '{"name":"Rex","categoryId":7}';
  expect((await request(port, 'POST', '/v1/pets', { key: KEY, body })).status).to.equal(201);
  // strace keeps SIGTERM from the process that it traces, whose id begins each of its lines.
  process.kill(Number.parseInt(readFileSync(file, 'utf8'), 10), 'SIGTERM');
  expect((await server.exited).code).to.equal(0);
  const calls = [...readFileSync(file, 'utf8').matchAll(/^\d+ +([a-z]\w*)\(/gm)].map(([, name = '']) => name);
  return [...new Set(calls)];
}

/** The system calls of a group such as `@io-event`, with those of the groups in it; of any other name, itself. */
function callsOf(name: string): readonly string[] {
  if (!name.startsWith('@')) return [name];
  const lines = execFileSync('systemd-analyze', ['--no-pager', 'syscall-filter', name], { encoding: 'utf8' }).split(
    '\n',
  );
  const members = lines
    .slice(1)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  return members.flatMap(callsOf);
}
