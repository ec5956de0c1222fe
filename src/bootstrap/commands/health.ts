import type { Command } from 'commander';
import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { addSettings, HEALTH_SETTINGS, type Values } from '../settings/settings.js';
import { originOf, reachableOrigin } from '../settings/urls.js';
import { httpUrl } from '../settings/values.js';
import { print } from './print.js';

const TIMEOUT_MS = 5000;

interface HealthOptions extends Values<typeof HEALTH_SETTINGS> {
  readonly url?: string;
  readonly live?: true;
}

export function addHealth(program: Command): void {
  const command = program
    .command('health')
    .summary('check whether a service is ready')
    .description('Checks whether a service is ready: exits with 0 if it is, otherwise with 1.')
    .option('--url <url>', 'the origin of the service (default: that of HOST and PORT on this machine)', httpUrl)
    .option('--live', 'check only whether the process runs, not whether its store answers');
  addSettings(command, HEALTH_SETTINGS).action(async ({ url, live, host, port }: HealthOptions) => {
    const address = new URL(live ? '/livez' : '/readyz', url ?? reachableOrigin(originOf(host, port)));
    const status = await statusOf(address).catch((cause: unknown) => {
      throw new Error(`${address.href} does not answer`, { cause });
    });
    if (status !== 200) throw new Error(`${address.href} answers ${status}`);
    await print(live ? 'alive\n' : 'ready\n');
  });
}

/** Asks the service itself: fetch and the global agent may use a proxy that the environment names. */
async function statusOf(address: URL): Promise<number | undefined> {
  const { get } = address.protocol === 'https:' ? https : http;
  const request = get(address, { agent: false, signal: AbortSignal.timeout(TIMEOUT_MS) });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.destroy();
  return response.statusCode;
}
