import type { ContainerModule } from 'inversify';
import { createContainer, httpModule, TOKENS } from '../../../src/bootstrap/index.js';
import { endWithTest } from '../../support/cleanup.js';

/** Whether a service is ready on the store of a module, until the test ends, and what its log has as the reasons why not. */
export async function readinessOn(store: ContainerModule) {
  const reasons: string[] = [];
  const add = ({ err }: { readonly err?: unknown }): void => void reasons.push((err as Error).message);
  const log = { warn: add, error: add };
  const moreKeys = [{ name: 'anna', key: 'a-key-of-more-than-16' }];
  const container = await createContainer(store, httpModule({ moreKeys, log }));
  endWithTest(async () => container.unbindAllAsync());
  const { isReady } = await container.getAsync(TOKENS.httpOptions);
  return { isReady: async () => isReady?.(), reasons };
}
