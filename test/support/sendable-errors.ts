import type { Context, RootHookObject } from 'mocha';
import { inspect } from 'node:util';

/**
 * Mocha's root hook, which `.mocharc.json` has loaded before the tests. The processes that run files in parallel send the errors of
 * tests as JSON, which has no `bigint`. So members that have one, such as the key in an error of MongoDB, are sent as texts.
 */
export const mochaHooks: RootHookObject = {
  afterEach(this: Context) {
    const error = (this.currentTest?.err ?? {}) as unknown as Record<string, unknown>;
    for (const member of Object.getOwnPropertyNames(error)) {
      if (!isJson(error[member])) error[member] = inspect(error[member]);
    }
  },
};

function isJson(value: unknown): boolean {
  try {
    JSON.stringify(value);
    return true;
  } catch {
    return false;
  }
}
