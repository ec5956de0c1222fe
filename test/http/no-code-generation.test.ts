import { fileURLToPath } from 'node:url';
import { Child } from '../support/child.js';
import { KEY } from '../support/in-memory-interface.js';
import { declareHttpSuite, TRANSPORT } from './http-suite.js';
import { serviceOf, type Service } from './service.js';

/** Makes Node throw an `EvalError` for `eval` and `new Function`. */
const FLAG = '--disallow-code-generation-from-strings';

async function start(listener: string, keepsTargets: boolean): Promise<Service> {
  const child = Child.startNode([FLAG, fileURLToPath(new URL(`../runtimes/http/${listener}.ts`, import.meta.url))]);
  const port = await child.find(() => /^port (\d+)$/m.exec(child.stdout)?.[1]);
  return serviceOf(child, Number(port), KEY, keepsTargets);
}

describe(`with ${FLAG}`, () => {
  declareHttpSuite('HTTP by the listener for Node', async () => start('node', true), TRANSPORT);
  // workerd generates no code either, and runs the rest of it.
  declareHttpSuite('HTTP by the Fetch handler', async () => start('fetch-on-node', false));
});
