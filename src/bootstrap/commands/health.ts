import { originOf, reachableOrigin } from '../origin.js';
import { SERVE_SETTINGS } from '../server-config.js';
import { flagOnly, switchFlag } from '../settings/setting.js';
import { httpUrl } from '../settings/value-types.js';
import { defineCommand } from './command.js';

/** How long the service may take to answer, in milliseconds. */
const TIMEOUT_MS = 5000;

/** `animal-store health`: for the health checks of containers, and for scripts. */
export const health = defineCommand({
  name: 'health',
  summary: 'ask a service whether it is ready: exit code 0 if it is, otherwise 1',
  settings: {
    url: flagOnly('url', 'the origin of the service (default that of HOST and PORT on this machine)', httpUrl),
    live: switchFlag('live', 'ask whether the process runs, whether or not its store answers'),
    host: { ...SERVE_SETTINGS.host, help: 'the address that the service listens on' },
    port: { ...SERVE_SETTINGS.port, help: 'the port that the service listens on' },
  },
  async run({ values: { url, live, host, port } }) {
    const address = new URL(live ? '/livez' : '/readyz', url ?? reachableOrigin(originOf(host, port))).href;
    const response = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(
      (cause: unknown) => {
        throw new Error(`${address} does not answer`, { cause });
      },
    );
    await response.body?.cancel();
    if (!response.ok) throw new Error(`${address} answers ${response.status}`);
    console.log(live ? 'alive' : 'ready');
  },
});
