import { bundle, needRuntime, startListener, type Bundle, type RuntimeName } from '../support/runtimes.js';
import { KEY } from '../support/in-memory-interface.js';
import { declareHttpSuite, TRANSPORT } from '../http/http-suite.js';
import { serviceOf, type Service } from '../http/service.js';

async function start(name: RuntimeName, listener: string, keepsTargets: boolean, bundled: Bundle): Promise<Service> {
  const { child, port } = await startListener(name, listener, bundled);
  return serviceOf(child, port, KEY, keepsTargets);
}

/** Declares the suite for a listener on a runtime, which is skipped if the runtime cannot be installed. */
function declareOn(name: RuntimeName, listener: string, keepsTargets: boolean): void {
  describe(`on ${name}`, function () {
    this.timeout(180_000);
    let bundled: Bundle;
    before(async function () {
      this.timeout(300_000);
      await needRuntime(this, name);
      bundled = await bundle('test/runtimes/http', [listener]);
    });
    after(async () => bundled.remove());

    const transport = listener === 'koa' ? 'the Koa application' : 'the Fetch handler';
    declareHttpSuite(`HTTP by ${transport}`, async () => start(name, listener, keepsTargets, bundled), TRANSPORT);
  });
}

for (const name of ['bun', 'deno', 'workerd'] as const) declareOn(name, name, false);
for (const name of ['bun', 'deno'] as const) declareOn(name, 'koa', true);
