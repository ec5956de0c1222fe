import { fileURLToPath } from 'node:url';
import { Child } from '../support/child.js';
import { declareHttpSuite } from './http-suite.js';
import { KEY } from './runtimes/handler.js';
import type { Service } from './service.js';

/** Makes Node throw an `EvalError` for `eval` and `new Function`. */
const FLAG = '--disallow-code-generation-from-strings';

async function start(listener: string, keepsTargets: boolean): Promise<Service> {
  const file = fileURLToPath(new URL(`./runtimes/${listener}.ts`, import.meta.url));
  const child = Child.startNode([FLAG, file]);
  const port = await child.find(() => /^port (\d+)$/m.exec(child.stdout)?.[1]);
  return {
    port: Number(port),
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

describe(`with ${FLAG}`, () => {
  declareHttpSuite('HTTP by the listener for Node', async () => start('node', true));
  declareHttpSuite('HTTP by the Fetch handler', async () => start('fetch-on-node', false));
});
