import type { Logger } from 'pino';
import type { ServerConfig } from '../settings/server-config.js';
import { startOn, type RunningServer } from '../server.js';
import type { StorageContainer } from '../storage.js';
import { version } from '../version.js';

/**
 * Runs the server until SIGTERM or SIGINT, then shuts it down and ends the process with exit code 0; with 1 if a second
 * signal or the time-out comes first. A signal during the start ends it at once, with 0. What the user has to know goes
 * to the standard output, the log to the standard error stream.
 */
export async function serveUntilSignal(storage: StorageContainer, config: ServerConfig, log: Logger): Promise<void> {
  const running: { server?: RunningServer } = {};
  let isStopping = false;

  function stop(signal: NodeJS.Signals): void {
    log.info({ signal }, isStopping ? 'ending at once' : 'stopping');
    if (isStopping) process.exit(1);
    if (running.server === undefined) process.exit(0);
    isStopping = true;
    setTimeout(() => {
      log.error({ timeout: config.shutdownTimeout }, 'the shutdown took too long');
      process.exit(1);
    }, config.shutdownTimeout);
    running.server.close().then(
      () => process.exit(0),
      (err: unknown) => {
        log.error({ err }, 'the shutdown failed');
        process.exit(1);
      },
    );
  }

  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  running.server = await startOn(storage, config, log);
  process.stdout.write(greeting(running.server));
}

/** Tells where the server listens, where its reference is, and how to send a first request with a key made for this run. */
function greeting({ origin, basePath, apiKey }: RunningServer): string {
  // An address that means every interface is not one to connect to.
  const reachable = origin.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
  const lines = [`Animal Store ${version} listens on ${origin}${basePath}`, `Reference: ${reachable}/docs`];
  if (apiKey !== undefined) {
    const authorization = `Authorization: Bearer ${apiKey}`;
    lines.push(
      `API key for this run: ${apiKey}`,
      'Try it:',
      `  curl -H '${authorization}' '${reachable}${basePath}/pets'`,
    );
  }
  return `${lines.join('\n')}\n`;
}
