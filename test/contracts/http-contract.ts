import { httpAnswerChecks, httpPathChecks } from './http-answer-checks.js';
import { httpAuthenticationChecks } from './http-authentication-checks.js';
import { clientOf, type HttpClient } from './http-client.js';
import { httpCreateChecks } from './http-create-checks.js';
import { httpIdempotencyChecks } from './http-idempotency-checks.js';
import { httpInterfaceChecks } from './http-interface-checks.js';
import { httpGetChecks, httpListChecks } from './http-list-checks.js';
import { declareSuite, type Checks, type TestRunner } from './test-runner.js';

/** A group of checks of {@link verifyHttpContract}. */
export type HttpContractGroup = 'interface' | 'contract';

/** Options of {@link verifyHttpContract}. */
export interface HttpContractOptions {
  /** The base address of the server, which ends in `/v1`. A function is called in each test, after the server was started. */
  readonly baseUrl: string | (() => string);
  /** An API key that the server accepts. */
  readonly apiKey: string | (() => string);
  /**
   * The group to run alone: `interface` is what the description of the service says, in any language and by any
   * implementation; `contract` is what this package settles beyond it, such as pages, idempotency keys and header fields.
   * @default both
   */
  readonly only?: HttpContractGroup;
  /** The runner's functions if they are not global. @default the global `describe` and `it` */
  readonly runner?: TestRunner;
}

/** Every check, by its group and the sentence that it proves. */
export const httpChecks: Readonly<Record<HttpContractGroup, Checks<HttpClient>>> = {
  interface: httpInterfaceChecks,
  contract: {
    ...httpAuthenticationChecks,
    ...httpCreateChecks,
    ...httpIdempotencyChecks,
    ...httpListChecks,
    ...httpGetChecks,
    ...httpPathChecks,
    ...httpAnswerChecks,
  },
};

/**
 * Declares the tests that every HTTP server of animals must pass, whatever it is written in. They send requests by `fetch`.
 *
 * Each test creates animals, **and leaves them behind**: use a server whose animals you can throw away. The server need not be
 * empty, but nothing else may create animals meanwhile. It must not limit the rate of requests.
 *
 * @example
 * import { describe, it } from 'node:test';
 * import { verifyHttpContract } from 'animal-store/contract';
 *
 * verifyHttpContract({ baseUrl: 'http://localhost:3000/v1', apiKey: process.env.API_KEY, runner: { describe, it } });
 */
export function verifyHttpContract({ baseUrl, apiKey, only, runner }: HttpContractOptions): void {
  const createClient = (): HttpClient => clientOf({ baseUrl: valueOf(baseUrl), apiKey: valueOf(apiKey) });
  for (const [group, checks] of Object.entries(httpChecks)) {
    if (only === undefined || only === group) declareSuite(`the HTTP ${group}`, checks, createClient, runner);
  }
}

function valueOf(text: string | (() => string)): string {
  return typeof text === 'string' ? text : text();
}
