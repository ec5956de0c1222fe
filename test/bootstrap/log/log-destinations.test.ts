import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { closeSync, constants, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { Child } from '../../support/child.js';
import { runCommand, startCommand, type RunningCommand } from '../../support/command.js';
import { eventually } from '../../support/eventually.js';
import { metricsAt } from '../../support/metrics.js';
import { onConnection } from '../../support/raw-connection.js';
import { request, requestBytes } from '../../support/request.js';
import { skip } from '../../support/skip.js';
import { makeTemporaryFolder } from '../../support/temporary-folder.js';
import { entriesIn, linesOf } from '../outcome.js';
import { storeFile } from '../store-file.js';
import { runOnTerminal } from '../terminal.js';

const KEY = 'a-key-of-more-than-16';
const ENV = { API_KEYS: `anna:${KEY}`, LOG_LEVEL: 'debug' };

/** A catalogue that throws where nothing catches it, while the server waits for it. */
const WITH_FATAL_FAULT = `new Promise(() => setTimeout(() => { throw new Error('a fatal fault'); }, 1))`;

/** The id of requests that are to fill the log, as long as an id can be. */
const FLOOD = 'flood'.padEnd(128, '-');

describe('where the log of animal-store serve goes', function () {
  this.timeout(180_000);

  // From its sources, the command is compiled when it first starts, by a process that shares its standard error and makes
  // writes to it wait.
  before(async () => {
    await (await startCommand(['--metrics-port', '0'], ENV)).stop();
  });

  it('to a pipe that is closed, it delays neither answers nor the exit', async () => {
    const file = join(makeTemporaryFolder(), 'pipe');
    execFileSync('mkfifo', [file]);
    const reader = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    const writer = openSync(file, constants.O_WRONLY);
    const command = await startCommand([], ENV, { stderr: writer });
    closeSync(writer);
    closeSync(reader);
    for (let i = 0; i < 3; i++) expect((await request(command.port, 'GET', '/livez')).status).to.equal(200);
    expect(await command.stop()).to.deep.equal({ code: 0, signal: null });
  });

  it('to a socket that nobody reads, it delays neither answers nor the exit', async () => {
    const command = await startCommand(['--metrics-port', '0'], ENV, { stderr: 'unread' });
    const metrics = await command.find(() => /^Metrics: (\S+)$/m.exec(command.stdout)?.[1]);
    await fillPipe(command);
    const dropped = async () => (await metricsAt(metrics)).value('animal_store_log_lines_dropped_total');
    const before = await dropped();
    expect(before).to.be.greaterThan(0);
    expect((await request(command.port, 'GET', '/livez')).status).to.equal(200);
    await eventually(async () => ((await dropped()) === before + 1 ? true : undefined));
    expect(await command.stop()).to.deep.equal({ code: 0, signal: null });
  });

  it('to a full disk, it counts the lost lines, and delays neither answers nor the exit', async function () {
    if (!existsSync('/dev/full')) skip(this, 'there is no /dev/full');
    const descriptor = openSync('/dev/full', 'w');
    const command = await startCommand(['--metrics-port', '0'], ENV, { stderr: descriptor });
    closeSync(descriptor);
    const metrics = await command.find(() => /^Metrics: (\S+)$/m.exec(command.stdout)?.[1]);
    expect((await request(command.port, 'GET', '/livez')).status).to.equal(200);
    expect((await metricsAt(metrics)).value('animal_store_log_lines_dropped_total')).to.be.greaterThan(0);
    expect(await command.stop()).to.deep.equal({ code: 0, signal: null });
  });

  it('is complete when a second signal ends the process', async () => {
    const command = await startCommand([], ENV);
    await onConnection(command.port, async (connection) => {
      connection.send('GET /livez HTTP/1.1\r\nHost: a\r\n');
      await request(command.port, 'GET', '/livez', { headers: [['X-Request-Id', 'last']] });
      command.kill('SIGTERM');
      await command.find(() => (command.stderr.includes('"stopping"') ? true : undefined));
      command.kill('SIGTERM');
      expect(await command.exited).to.deep.equal({ code: 1, signal: null });
    });
    const entries = entriesIn(command.stderr);
    expect(entries.some(({ requestId }) => requestId === 'last')).to.equal(true);
    expect(entries.at(-1)?.msg).to.equal('ending immediately');
  });

  it('to a terminal, it is in a readable form', async function () {
    const child = runOnTerminal(this, 'serve --port 0', { env: { ...ENV, NO_COLOR: '1', TERM: 'xterm' } });
    const port = await child.find(() => /listens on http:\/\/127\.0\.0\.1:(\d+)/.exec(child.stdout)?.[1]);
    await request(Number(port), 'GET', '/livez', { headers: [['X-Request-Id', 'of-the-client']] });
    await child.find(() => (child.stdout.includes('of-the-client') ? true : undefined));
    const lines = child.stdout.split('\r\n').filter((line) => line !== '');
    expect(lines.find((line) => line.includes('listening'))).to.match(
      /^\[\d\d:\d\d:\d\d\.\d{3}\] INFO: listening \{"origin":/,
    );
    expect(lines.at(-1)).to.match(/^\[\d\d:\d\d:\d\d\.\d{3}\] (?:INFO|DEBUG): answered \{"requestId":"of-the-client"/);
  });

  /** The entries of the log before what Node.js prints. */
  const fatalEntries = ({ stderr }: Child): unknown[] =>
    entriesIn(
      linesOf(stderr)
        .filter((line) => line.startsWith('{'))
        .join('\n')
        .concat('\n'),
    ).map(({ level, msg, err }) => [level, msg, err?.message]);

  it('has a line for an error that is not caught, before Node.js prints the error, and ends the process with 1', async () => {
    const command = runCommand(['serve', '--port', '0', '--store', storeFile(WITH_FATAL_FAULT)], ENV);
    expect(await command.exited).to.deep.equal({ code: 1, signal: null });
    expect(fatalEntries(command)).to.deep.equal([[60, 'an error was not caught', 'a fatal fault']]);
    expect(command.stderr).to.match(/^Error: a fatal fault$/m);
  });

  it('has the same line if something else listens to such errors, which decides when the process ends', async () => {
    const report = `process.on('uncaughtException', ({ message }) => setTimeout(() => {
      console.log('reported', message);
      process.exit(7);
    }, 100));`;
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(report)}`;
    const args = ['serve', '--port', '0', '--store', storeFile(WITH_FATAL_FAULT)];
    const command = runCommand(args, { ...ENV, NODE_OPTIONS });
    expect(await command.exited).to.deep.equal({ code: 7, signal: null });
    expect(command.stdout).to.equal('reported a fatal fault\n');
    expect(fatalEntries(command)).to.deep.equal([[60, 'an error was not caught', 'a fatal fault']]);
  });

  it('at silent, it leaves an error that ends the process to Node.js, which prints it', async () => {
    const args = ['serve', '--port', '0', '--store', storeFile(WITH_FATAL_FAULT)];
    const command = runCommand(args, { ...ENV, LOG_LEVEL: 'silent' });
    expect(await command.exited).to.deep.equal({ code: 1, signal: null });
    expect(command.stderr).to.include('Error: a fatal fault');
  });
});

/** Sends requests until the log has dropped lines for certain: a pipe holds 64 KiB, the log 2 MiB. */
async function fillPipe({ port }: RunningCommand): Promise<void> {
  const flood = requestBytes('GET', '/livez', { headers: [['X-Request-Id', FLOOD]] });
  await onConnection(port, async (connection) => {
    for (let i = 0; i < 9600; i++) await connection.ask(flood);
  });
}
