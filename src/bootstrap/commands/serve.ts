import type { Command } from 'commander';
import type { Logger } from 'pino';
import { version } from '../compiled/manifest.js';
import type { RunningServer, StartConfig } from '../server.js';
import { addSettings, givenOptions, readSecrets, SERVE_SETTINGS, type ServeOptions } from '../settings/settings.js';
import { reachableOrigin } from '../settings/urls.js';
import { listenToWarnings } from '../log/warnings.js';
import { storeOf } from './store.js';

/** Closing a terminal sends SIGHUP. */
const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

const FIRST_ANIMAL = '{"name":"Rex","categoryId":1,"status":"available"}';

/** How long the process may take to exit by itself after the shutdown. */
const LAST_WORK_MS = 1000;

export function addServe(program: Command): void {
  const command = program.command('serve').summary('start the server').description('Starts the server.');
  addSettings(command, SERVE_SETTINGS).action(async ({ logLevel, shutdownTimeout }: ServeOptions) => {
    const secrets = { ...readSecrets.storeUrls(), apiKeys: readSecrets.apiKeys() };
    const { corsOrigin: corsOrigins, ...given } = givenOptions<ServeOptions>(command);
    const { createLog } = await import('../log/log.js');
    const config = { ...given, corsOrigins, ...secrets, store: storeOf(command) };
    await serveUntilSignal(config, shutdownTimeout, await createLog(logLevel));
  });
}

/** Exits with 0 after a shutdown or a signal during the start; with 1 if a second signal, the time-out or a fatal error comes first. */
async function serveUntilSignal(config: StartConfig, timeout: number, log: Logger): Promise<void> {
  const running: { server?: RunningServer } = {};
  let isStopping = false;

  function stop(signal: NodeJS.Signals): void {
    log.info({ signal }, isStopping ? 'ending immediately' : 'stopping');
    if (isStopping) process.exit(1);
    if (running.server === undefined) process.exit(0);
    isStopping = true;
    void shutDown(running.server);
  }

  async function shutDown({ close }: RunningServer): Promise<void> {
    const timer = setTimeout(() => {
      log.error({ timeoutMs: timeout }, 'the shutdown took too long');
      process.exit(1);
    }, timeout);
    try {
      await close();
    } catch (err) {
      log.error({ err }, 'the shutdown failed');
      process.exit(1);
    }
    clearTimeout(timer);
    // Now the process ends by itself: the log is written, and a module that was loaded with `--import` can finish its work in
    // `beforeExit`, such as sending its last traces. A log that nobody reads must not keep it alive.
    process.exitCode = 0;
    setTimeout(() => process.exit(), LAST_WORK_MS).unref();
  }

  for (const signal of STOP_SIGNALS) process.on(signal, stop);
  logErrorsOfProcess(log);
  const { startServer } = await import('../server.js');
  running.server = await startServer(config, log);
  process.stdout.write(greeting(running.server));
}

/** Only logs: what else listens to errors that nothing has caught decides whether they end the process. */
function logErrorsOfProcess(log: Logger): void {
  listenToWarnings(({ name: type, message }) => log.warn({ type }, `Node.js warns: ${message}`));
  process.on('uncaughtExceptionMonitor', (err) => log.fatal({ err }, 'an error was not caught'));
}

function greeting({ origin, basePath, metricsUrl, store, note, apiKey }: RunningServer): string {
  const localOrigin = reachableOrigin(origin);
  const lines = [`Animal Store ${version} listens on ${origin}${basePath}`, `Reference: ${localOrigin}/docs`];
  if (metricsUrl !== undefined) lines.push(`Metrics: ${metricsUrl}`);
  if (note !== undefined) lines.push(`Store: ${store} (${note})`);
  if (apiKey !== undefined) {
    const curl = `curl -H 'Authorization: Bearer ${apiKey}'`;
    const url = `'${localOrigin}${basePath}/pets'`;
    lines.push(
      `API key for this run: ${apiKey}`,
      'Try it:',
      `  ${curl} ${url}`,
      `  ${curl} -H 'Content-Type: application/json' -d '${FIRST_ANIMAL}' ${url}`,
    );
  }
  return `${lines.join('\n')}\n`;
}
