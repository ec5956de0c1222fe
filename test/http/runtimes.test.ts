import { bundleListener, runtime, startListener, type Bundle, type RuntimeName } from '../support/runtimes.js';
import { declareHttpSuite } from './http-suite.js';
import { KEY } from './runtimes/handler.js';
import type { Service } from './service.js';

async function start(name: RuntimeName, listener: string, keepsTargets: boolean, bundle: Bundle): Promise<Service> {
  const { child, port } = await startListener(name, listener, bundle);
  return {
    port,
    mountPath: '',
    basePath: '/v1',
    key: KEY,
    keepsTargets,
    get log() {
      return child.stderr;
    },
    stop: async () => child.stop(),
  };
}

/** Declares the suite for a listener on a runtime, which is skipped if the runtime cannot be installed. */
function declareOn(name: RuntimeName, listener: string, keepsTargets: boolean): void {
  describe(`on ${name}`, function () {
    this.timeout(60_000);
    let bundle: Bundle;
    before(async function () {
      this.timeout(300_000);
      try {
        await runtime(name);
      } catch (error) {
        if (process.env['CI'] === 'true') throw error;
        console.log(`Tests on ${name} are skipped: it cannot be installed: ${String(error)}`);
        this.skip();
      }
      bundle = await bundleListener(listener);
    });
    after(async () => bundle.remove());

    const transport = listener === 'koa' ? 'the Koa application' : 'the Fetch handler';
    declareHttpSuite(`HTTP by ${transport}`, async () => start(name, listener, keepsTargets, bundle));
  });
}

for (const name of ['bun', 'deno', 'workerd'] as const) declareOn(name, name, false);
for (const name of ['bun', 'deno'] as const) declareOn(name, 'koa', true);
