import { httpResponseChecks, httpPathChecks } from './http-response-checks.js';
import { httpAuthenticationChecks } from './http-authentication-checks.js';
import { clientOf, type HttpClient } from './http-client.js';
import { httpCreateChecks } from './http-create-checks.js';
import { httpIdempotencyChecks } from './http-idempotency-checks.js';
import { httpInterfaceChecks } from './http-interface-checks.js';
import { httpGetChecks, httpListChecks } from './http-list-checks.js';
import { A_RUNNER, checkOptions, optional, type OptionRule } from './suite-options.js';
import { declareSuite, type Checks, type TestRunner } from './test-runner.js';

/** A group of checks of {@link verifyHttpContract}. */
export type HttpContractGroup = 'interface' | 'contract';

/** Options of {@link verifyHttpContract}. */
export interface HttpContractOptions {
  /** The base address of the server, which ends in `/v1`. A function is called in each test, after the server was started. */
  readonly baseUrl: string | URL | (() => string | URL);
  /** An API key that the server accepts. A function is called in each test, too. */
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
    ...httpResponseChecks,
  },
};

/**
 * Declares the tests that every HTTP server of animals must pass, whatever it is written in. They send requests by `fetch`.
 *
 * Each test creates animals, **and leaves them behind**: use a server whose animals you can throw away. The server need not be
 * empty, but nothing else may create animals meanwhile. It must not limit the rate of requests.
 *
 * @throws TypeError that names the option that is missing, unknown or wrong, before it declares a test. What a function returns is
 * checked in each test.
 *
 * @example
 * import { describe, it } from 'node:test';
 * import { verifyHttpContract } from 'animal-store/contract';
 *
 * verifyHttpContract({ baseUrl: 'http://localhost:3000/v1', apiKey: process.env.API_KEY, runner: { describe, it } });
 */
export function verifyHttpContract(options: HttpContractOptions): void {
  checkOptions('verifyHttpContract', options, {
    baseUrl: orFunction(A_BASE_URL),
    apiKey: orFunction(AN_API_KEY),
    only: optional({
      rule: Object.keys(httpChecks).join(' or '),
      accepts: (group) => typeof group === 'string' && Object.hasOwn(httpChecks, group),
    }),
    runner: optional(A_RUNNER),
  });
  const { baseUrl, apiKey, only, runner } = options;
  const createClient = (): HttpClient =>
    clientOf({
      baseUrl: String(valueOf('baseUrl', baseUrl, A_BASE_URL)),
      apiKey: valueOf('apiKey', apiKey, AN_API_KEY),
    });
  for (const [group, checks] of Object.entries(httpChecks)) {
    if (only === undefined || only === group) declareSuite(`the HTTP ${group}`, checks, createClient, runner);
  }
}

const A_BASE_URL: OptionRule = {
  rule: 'an http or https URL that ends in /v1',
  accepts: (value) => {
    const text = value instanceof URL ? value.href : value;
    return typeof text === 'string' && /^https?:\/\/[^?#]+\/v1\/?$/i.test(text) && URL.canParse(text);
  },
};

const AN_API_KEY: OptionRule = {
  rule: 'a string that is not empty',
  accepts: (value) => typeof value === 'string' && value !== '',
};

function orFunction({ rule, accepts }: OptionRule): OptionRule {
  return {
    rule: `${rule}, or a function that returns one`,
    accepts: (value) => typeof value === 'function' || accepts(value),
  };
}

/** The value of an option, which a function returns only now. */
function valueOf<Value extends string | URL>(name: string, value: Value | (() => Value), rule: OptionRule): Value {
  if (typeof value !== 'function') return value;
  const returned = value();
  if (!rule.accepts(returned)) throw new TypeError(`the option ${name} of verifyHttpContract must return ${rule.rule}`);
  return returned;
}
