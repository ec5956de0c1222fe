import { expect } from 'chai';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import type { ResponseLog } from '../../../src/adapters/http/pipeline/response-log.js';
import { logResponse } from '../../../src/bootstrap/log/log.js';
import type { ReceivedResponse } from '../../support/received-response.js';
import type { Child } from '../../support/child.js';
import { startCommand, type RunningCommand } from '../../support/command.js';
import { eventually } from '../../support/eventually.js';
import { onConnection } from '../../support/raw-connection.js';
import { requestBytes, send } from '../../support/request.js';
import { startBootstrapScript } from '../../support/run-script.js';
import { makeTemporaryFolder } from '../../support/temporary-folder.js';
import { start } from '../in-process.js';
import { entriesIn, linesOf, type Entry } from '../outcome.js';
import { storeFile } from '../store-file.js';

const KEY = 'a-key-of-more-than-16';
const WRONG_KEY = 'another-key-of-more-than-16';
const API_KEYS = `anna:${KEY}`;
const DEBUG = 20;
const INFO = 30;
const WARN = 40;
const ERROR = 50;

describe('the log of animal-store serve', () => {
  describe('at info', () => {
    let command: RunningCommand;
    let missing: ReceivedResponse;

    before(async () => {
      command = await startCommand([], { API_KEYS, TRUST_PROXY: 'loopback' });
      const headers = [
        ['X-Request-Id', 'of-the-client'],
        ['X-Forwarded-For', '198.51.100.1, 203.0.113.7'],
      ] as const;
      missing = await send(`${command.url}/pets/7?key=${WRONG_KEY}`, { key: KEY, headers });
      await command.stop();
    });

    it('has for a request only the members that an operator needs', () => {
      const entry = entriesIn(command.stderr).find(({ requestId }) => requestId === 'of-the-client');
      const { time, durationMs, ...rest } = entry as Entry;
      expect(time).to.be.a('number');
      expect(String(durationMs)).to.match(/^\d+(\.\d{1,3})?$/);
      expect(rest).to.deep.equal({
        level: INFO,
        requestId: 'of-the-client',
        method: 'GET',
        route: '/v1/pets/:petId',
        status: 404,
        code: 'pet_not_found',
        bytes: missing.body.length,
        clientAddress: '203.0.113.7',
        keyName: 'anna',
        msg: 'answered',
      });
    });

    it('has the start at info, with where the server listens', () => {
      const [{ time: _time, ...start }] = entriesIn(command.stderr) as [Entry];
      expect(start).to.deep.equal({
        level: INFO,
        origin: `http://127.0.0.1:${command.port}`,
        basePath: '/v1',
        store: 'memory',
        note: 'animals are lost when the server ends',
        msg: 'listening',
      });
    });

    it('has each step of the stop at info, with the signal', () => {
      const steps = entriesIn(command.stderr).slice(-3);
      expect(steps.map(({ level, msg, signal }) => [level, msg, signal])).to.deep.equal([
        [INFO, 'stopping', 'SIGTERM'],
        [INFO, 'shutting down', undefined],
        [INFO, 'shut down', undefined],
      ]);
    });
  });

  it('has probes at debug if they succeed, and at info if they do not', () => {
    const lines: string[] = [];
    const log = pino({ level: 'debug' }, { write: (line) => lines.push(line) });
    const statuses = [
      ['/livez', 200],
      ['/readyz', 200],
      ['/readyz', 503],
      ['/v1/pets', 200],
      [undefined, 404],
    ] as const;
    for (const [route, status] of statuses) logResponse(log, { route, status } as ResponseLog);
    const levels = entriesIn(lines.join('')).map(({ level }) => level);
    expect(levels).to.deep.equal([DEBUG, DEBUG, INFO, INFO, INFO]);
  });

  it('never has the key made for the run', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'trace' }, { write: (line) => lines.push(line) });
    const { origin, apiKey = '' } = await start({ apiKeys: [] }, log);
    expect((await send(`${origin}/v1/pets`, { key: apiKey })).status).to.equal(200);
    expect(lines.join('')).to.include('"answered"').and.to.not.include(apiKey);
  });

  it('has the reason at error if the store cannot be closed, and the command ends with 1', async () => {
    const store = storeFile('({})', `.onDeactivation(() => { throw new Error('the pool is stuck'); })`);
    const command = await startCommand(['--store', store], { API_KEYS });
    expect((await command.stop()).code).to.equal(1);
    const last = entriesIn(command.stderr).at(-1);
    expect(last).to.include({ level: ERROR, msg: 'the shutdown failed' });
    expect(last?.err?.message).to.include('the pool is stuck');
  });

  it('has the time-out of a shutdown at error', async () => {
    const command = await startCommand(['--shutdown-timeout', '1s'], { API_KEYS });
    await onConnection(command.port, async (connection) => {
      await connection.deliver(requestBytes('POST', '/v1/pets', { key: KEY, body: '{}' }).subarray(0, -1));
      await send(`${command.url}/pets`, { key: KEY });
      command.kill('SIGTERM');
      expect(await command.exited).to.deep.equal({ code: 1, signal: null });
    });
    const last = entriesIn(command.stderr).at(-1);
    expect(last).to.include({ level: ERROR, timeoutMs: 1000, msg: 'the shutdown took too long' });
  });

  /** Runs the server with options of Node until it has warned of a package, and has said so where `place` looks. */
  async function warn(options: string, place: (command: Child) => string): Promise<Child> {
    const program = 'data:text/javascript,process.on("SIGUSR2", () => process.emitWarning("of a package"))';
    const NODE_OPTIONS = `--import=${encodeURI(program)} ${options}`;
    const command = await startCommand([], { API_KEYS, NODE_OPTIONS });
    command.kill('SIGUSR2');
    await eventually(() => (place(command).includes('of a package') ? true : undefined));
    await command.stop();
    return command;
  }

  it('has the warnings of Node.js at warn, without a stack', async () => {
    const command = await warn('', ({ stderr }) => stderr);
    const warnings = entriesIn(command.stderr).filter(({ level }) => level === WARN);
    expect(warnings.map(({ time: _time, ...warning }) => warning)).to.deep.equal([
      { level: WARN, type: 'Warning', msg: 'Node.js warns: of a package' },
    ]);
  });

  it('has no warnings of Node.js if something else listens to them, which hears them, and Node.js prints them', async () => {
    const program = 'data:text/javascript,process.on("warning", ({ message }) => console.log("heard", message))';
    const { stderr } = await warn(`--import=${encodeURI(program)}`, ({ stdout }) => stdout);
    expect(stderr)
      .to.match(/^\(node:\d+\) Warning: of a package$/m)
      .and.not.to.include('Node.js warns');
  });

  it('has no warnings of Node.js with --trace-warnings, which prints them with a stack', async () => {
    const { stderr } = await warn('--trace-warnings', (command) => command.stderr);
    expect(stderr).to.match(/^\(node:\d+\) Warning: of a package\n +at /m);
  });

  it('has no warnings of Node.js with --redirect-warnings, which writes them to a file', async () => {
    const file = join(makeTemporaryFolder(), 'warnings');
    const { stderr } = await warn(`--redirect-warnings=${file}`, () =>
      existsSync(file) ? readFileSync(file, 'utf8') : '',
    );
    expect(stderr).not.to.include('of a package');
  });

  it('is empty at silent from start to stop, and standard output stays the same', async () => {
    const command = await startCommand(['--log-level', 'silent']);
    await send(`${command.url}/pets`, { key: WRONG_KEY });
    await send(`${command.url}/pets`, { key: KEY, body: '{' });
    const { code } = await command.stop();
    expect({ code, stderr: command.stderr }).to.deep.equal({ code: 0, stderr: '' });
    expect(linesOf(command.stdout)).to.have.lengthOf(7);
  });
});

describe('createLog', () => {
  it('writes times, addresses and errors in a short form, and every line, even if the process exits immediately', async () => {
    const child = startBootstrapScript(
      'log/log',
      (url) => `
        import { createLog, droppedLogLines } from '${url}';
        const log = await createLog('info');
        log.info({ durationMs: 1.23456, clientAddress: '::ffff:192.0.2.1' }, 'answered');
        const err = Object.assign(new RangeError('too long'), { code: 121, document: { name: 'Rex' } });
        log.error({ err }, 'failed');
        log.error({ err: 'no reason' }, 'failed');
        console.log(droppedLogLines());
        process.exit();`,
    );
    await child.exited;
    expect(child.stdout).to.equal('0\n');
    const [answered, failed, thrown] = entriesIn(child.stderr);
    expect(answered).to.include({ durationMs: 1.235, clientAddress: '192.0.2.1' });
    expect(failed?.err).to.have.all.keys('type', 'message', 'code', 'stack');
    expect(failed?.err).to.include({ type: 'RangeError', message: 'too long', code: 121 });
    expect(failed?.err?.stack).to.match(/^RangeError: too long\n +at /);
    expect(thrown).to.include({ err: 'no reason' });
  });
});
