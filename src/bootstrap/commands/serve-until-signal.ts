import type { Logger } from 'pino';
import { flushLogs } from '../log/log.js';
import { reachableOrigin } from '../origin.js';
import type { NameOf } from '../settings/read-settings.js';
import type { ServerConfig } from '../server-config.js';
import { LOSS_NOTE, logStart, startOn, type RunningServer } from '../server.js';
import type { LoadedStorage } from '../storage.js';
import { version } from '../compiled/manifest.js';

/** Closing a terminal sends SIGHUP. */
const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** The body of the creation that the greeting shows. */
const FIRST_ANIMAL = '{"name":"Rex","categoryId":1,"status":"available"}';

/** How long the process waits for the log to be written before it exits, in milliseconds. */
const LOG_FLUSH_MS = 500;

/** How long the process may take to exit by itself after the shutdown, in milliseconds. */
const LAST_WORK_MS = 1000;

/**
 * Runs the server until SIGTERM, SIGINT or SIGHUP, then shuts it down and exits with code 0, or with 1 if a second signal, the
 * time-out or a fatal error comes first. A signal during the start exits immediately, with 0. Prints the address and a key made
 * for this run to the standard output, and the log to the standard error stream.
 */
export async function serveUntilSignal(
  storage: LoadedStorage,
  config: ServerConfig,
  log: Logger,
  nameOf: NameOf<keyof ServerConfig>,
): Promise<void> {
  const running: { server?: RunningServer } = {};
  let isStopping = false;

  function stop(signal: NodeJS.Signals): void {
    log.info({ signal }, isStopping ? 'ending at once' : 'stopping');
    if (isStopping) end(1);
    else if (running.server === undefined) end(0);
    else shutDown(running.server);
    isStopping = true;
  }

  function shutDown(server: RunningServer): void {
    const timer = setTimeout(() => {
      log.error({ timeout: config.shutdownTimeout }, 'the shutdown took too long');
      end(1);
    }, config.shutdownTimeout);
    server.close().then(
      () => {
        clearTimeout(timer);
        endByItself();
      },
      (err: unknown) => {
        log.error({ err }, 'the shutdown failed');
        end(1);
      },
    );
  }

  for (const signal of STOP_SIGNALS) process.on(signal, stop);
  logErrorsOfProcess(log);
  running.server = await startOn(storage, config, log, nameOf);
  process.stdout.write(greeting(running.server, storage));
  logStart(log, storage, running.server);
}

/**
 * Lets the process exit with code 0 once nothing is left to do. Then the log is written, and a module that was loaded with
 * `--import` can finish its work in `beforeExit`, such as sending its last traces. Ends the process if this takes too long.
 */
function endByItself(): void {
  process.exitCode = 0;
  setTimeout(() => process.exit(), LAST_WORK_MS).unref();
}

/** Ends the process once the log is written, or cannot be written in time. */
function end(code: number): void {
  void flushLogs(LOG_FLUSH_MS).then(() => process.exit(code));
}

/** Logs what Node itself would print: its warnings, and the error that ends the process with exit code 1. */
function logErrorsOfProcess(log: Logger): void {
  // Node prints warnings with its own listener.
  process.removeAllListeners('warning');
  process.on('warning', ({ name: type, message }) => log.warn({ type }, `Node.js warns: ${message}`));
  if (!log.isLevelEnabled('fatal')) return;
  process.once('uncaughtException', (err) => {
    log.fatal({ err }, 'a fatal error ends the process');
    end(1);
  });
}

/** Prints where the server listens, where its reference is, and how to send the first requests with a key made for this run. */
function greeting({ origin, basePath, metricsUrl, apiKey }: RunningServer, { name, ephemeral }: LoadedStorage): string {
  const localOrigin = reachableOrigin(origin);
  const lines = [`Animal Store ${version} listens on ${origin}${basePath}`, `Reference: ${localOrigin}/docs`];
  if (metricsUrl !== undefined) lines.push(`Metrics: ${metricsUrl}`);
  if (ephemeral) lines.push(`Store: ${name} (${LOSS_NOTE})`);
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
