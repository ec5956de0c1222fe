import { bundle, needRuntime, startListener, type Bundle } from '../support/runtimes.js';
import { KEY } from '../support/in-memory-interface.js';
import { declareHttpSuite, TRANSPORT } from '../http/http-suite.js';
import { serviceOf } from '../http/service.js';

for (const name of ['bun', 'deno', 'workerd'] as const) {
  describe(`on ${name}`, function () {
    this.timeout(300_000);
    let bundled: Bundle;
    before(async function () {
      await needRuntime(this, name);
      bundled = await bundle('test/runtimes/http', [name]);
    });
    after(async () => bundled.remove());

    const start = async () => {
      const { child, port } = await startListener(name, name, bundled);
      return serviceOf(child, port, KEY, false);
    };
    declareHttpSuite('HTTP by the Fetch handler', start, TRANSPORT);
  });
}
