import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { outcomeOf, runCommand, startCommand, type RunningCommand } from '../../support/command.js';
import { eventually } from '../../support/eventually.js';
import { hasIpv6 } from '../../support/has-ipv6.js';
import { isListening, OTHER_LOOPBACK } from '../../support/is-listening.js';
import { listenOnFreePort } from '../../support/listen-on-free-port.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { send } from '../../support/request.js';
import { skip } from '../../support/skip.js';
import { describeWithSqlite } from '../../support/sqlite.js';
import { makeTemporaryFolder } from '../../support/temporary-folder.js';
import { start } from '../in-process.js';
import { entriesIn, linesOf, refusalOf } from '../outcome.js';
import { storeFile } from '../store-file.js';

const KEY = 'a-key-of-more-than-16';
const WELCOME =
  /^Animal Store (\S+) listens on (http:\/\/\S+)\nReference: http:\/\/\S+\/docs\nStore: memory \(animals are lost when the server ends\)\nAPI key for this run: (ask_[0-9A-Za-z]{38})\nTry it:\n {2}(curl -H 'Authorization: Bearer (\S+)' '(\S+)')\n {2}(curl .*)\n$/;

/** A catalogue that takes a minute to open. */
const SLOW = `(console.error('opening'), new Promise((resolve) => setTimeout(resolve, 60_000)))`;

describe('animal-store serve', () => {
  it('prints its address, its reference, a key for this run, and curl lines that list and create animals', async () => {
    const command = await startCommand();
    const [, , url, key, curl, bearer, target, creation] = await welcomeOf(command);
    expect({ url, bearer, target }).to.deep.equal({
      url: `http://127.0.0.1:${command.port}/v1`,
      bearer: key,
      target: `${url}/pets`,
    });
    expect((await send(new URL('/docs', url))).status).to.equal(200);
    const { stdout } = await promisify(execFile)('sh', ['-c', curl as string], { timeout: 50_000 });
    expect(stdout).to.equal('[]');
    const created = await promisify(execFile)('sh', ['-c', creation as string], { timeout: 50_000 });
    expect(created.stdout).to.equal('{"id":1,"name":"Rex","categoryId":1,"status":"available"}');
    await command.stop();
  });

  it('makes a new key at each start, and chooses another free port for each 0', async () => {
    const servers = [await start({ apiKeys: [] }), await start({ apiKeys: [] })];
    expect(new Set(servers.map(({ apiKey }) => apiKey)))
      .to.have.lengthOf(2)
      .and.not.to.include(undefined);
    expect(new Set(servers.map(({ origin }) => origin))).to.have.lengthOf(2);
  });

  it('prints no key if API_KEYS has keys, and accepts each of them', async () => {
    const keys = [KEY, `${KEY}-2`, 'sixteen-in-all-x'];
    const command = await startCommand([], { API_KEYS: `anna:${keys[0]},ben:${keys[1]},anna:${keys[2]}` });
    for (const key of keys) expect((await send(`${command.url}/pets`, { key })).status).to.equal(200);
    expect((await send(`${command.url}/pets`, { key: 'anna' })).status).to.equal(401);
    await command.stop();
    expect(command.stdout).to.match(
      /^Animal Store \S+ listens on \S+\nReference: http:\/\/\S+\/docs\nStore: memory .*\n$/,
    );
  });

  for (const [host, origin, linked] of [
    ['0.0.0.0', 'http://0.0.0.0', 'http://127.0.0.1'],
    ['::', 'http://[::]', 'http://127.0.0.1'],
  ] as const) {
    it(`listens on ${host}, and prints links to an address that can be connected to`, async function () {
      if (host.includes(':') && !hasIpv6()) skip(this, 'this machine has no ::1');
      const command = await startCommand(['--host', host]);
      expect(command.url).to.equal(`${origin}:${command.port}/v1`);
      const [, , , , curl, , target] = await welcomeOf(command);
      expect(target).to.equal(`${linked}:${command.port}/v1/pets`);
      expect(command.stdout).to.include(`Reference: ${linked}:${command.port}/docs\n`);
      expect((await promisify(execFile)('sh', ['-c', curl as string], { timeout: 50_000 })).stdout).to.equal('[]');
      // Only on Linux is all of 127.0.0.0/8 an address of the machine.
      if (process.platform !== 'linux') return;
      expect(await isListening(command.port, OTHER_LOOPBACK)).to.equal(true);
    });
  }

  it('ends with 0 by a signal while it starts, and prints nothing', async () => {
    const command = runCommand(['serve', '--port=0', `--store=${storeFile(SLOW)}`]);
    await command.find(() => (command.stderr.includes('opening') ? true : undefined));
    command.kill('SIGTERM');
    expect(await command.exited).to.deep.equal({ code: 0, signal: null });
    expect(command.stdout).to.equal('');
  });

  for (const setting of ['--port', '--metrics-port']) {
    it(`ends with 1 and one line that names ${setting} if its port is taken`, async () => {
      const port = await listenOnFreePort(createServer());
      const flags = setting === '--port' ? [] : ['--port=0'];
      const { code, stdout, stderr } = await outcomeOf(['serve', `${setting}=${port}`, ...flags, '--log-level=debug']);
      expect({ code, stdout }).to.deep.equal({ code: 1, stdout: '' });
      expect(stderr).to.match(new RegExp(`^animal-store: ${setting}: .*EADDRINUSE.*${port}\n$`));
    });
  }

  for (const [host, error] of [
    ['999.1.1.1', 'getaddrinfo'],
    ['192.0.2.1', 'EADDRNOTAVAIL'],
  ] as const) {
    it(`ends with 1 and one line that names --host if it cannot listen on ${host}, also for the metrics`, async () => {
      for (const flags of [[], ['--metrics-port=0']]) {
        const { code, stdout, stderr } = await outcomeOf(['serve', `--host=${host}`, '--port=0', ...flags]);
        expect({ code, stdout }).to.deep.equal({ code: 1, stdout: '' });
        expect(stderr).to.match(new RegExp(`^animal-store: --host: .*${error}.*${host}\n$`));
      }
    });
  }

  it('ends with 2 if the service and the metrics have the same port', async () => {
    const message = '--port and --metrics-port must differ';
    expect(await refusalOf(['serve', '--port=4711', '--metrics-port=4711'])).to.equal(message);
    expect(await rejectionOf(start({ port: 4711, metricsPort: 4711 }))).to.include({ message });
  });

  it('warns of a setting of another store if a flag or a variable gives it, but not of its default', async () => {
    const command = await startCommand(['--log-level=warn', '--mongodb-deadline=9s'], { SQLITE_FILE: 'zoo.db' });
    await command.stop();
    expect(entriesIn(command.stderr).map(({ msg }) => msg)).to.deep.equal([
      '--sqlite-file (SQLITE_FILE) is not used, because the store is memory: see --store',
      '--mongodb-deadline (MONGODB_DEADLINE) is not used, because the store is memory: see --store',
    ]);
  });

  it('keeps no animals in memory if a file of SQLite is named', async () => {
    const { code, stderr } = await outcomeOf(['serve', '--port=0', '--sqlite-file=/nowhere/zoo.db']);
    expect(code).to.be.greaterThan(0);
    expect(linesOf(stderr)).to.have.lengthOf(1);
    expect(stderr).to.match(/SQLite|sqlite/);
  });
});

describeWithSqlite('animal-store serve on SQLite', () => {
  it('says where its file is, in the greeting and in the log', async () => {
    const cwd = realpathSync(makeTemporaryFolder());
    const command = await startCommand(['--store=sqlite'], { API_KEYS: `anna:${KEY}` }, { cwd });
    await command.stop();
    const file = join(cwd, 'animal-store.db');
    expect(command.stdout).to.include(`Store: sqlite (${file})\n`);
    expect(entriesIn(command.stderr)[0]).to.include({ msg: 'listening', store: 'sqlite', note: file });
  });
});

/** What the start printed, as soon as it is whole: all, version, address, key, curl line, its key, its target. */
function welcomeOf(command: RunningCommand): Promise<RegExpExecArray> {
  return eventually(() => WELCOME.exec(command.stdout) ?? undefined);
}
