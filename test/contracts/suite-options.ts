import type { TestRunner } from './test-runner.js';

/** What an option of a suite must be. */
export interface OptionRule {
  /** The end of a sentence such as `addOnce must be a boolean`. */
  readonly rule: string;
  readonly accepts: (value: unknown) => boolean;
  readonly isOptional?: boolean;
}

export const A_FUNCTION: OptionRule = { rule: 'a function', accepts: (value) => typeof value === 'function' };

export const A_BOOLEAN: OptionRule = { rule: 'a boolean', accepts: (value) => typeof value === 'boolean' };

export const A_RUNNER: OptionRule = {
  rule: 'an object with the functions describe and it',
  accepts: (value) => {
    const { describe, it } = (value ?? {}) as Partial<TestRunner>;
    return typeof describe === 'function' && typeof it === 'function';
  },
};

export function optional(rule: OptionRule): OptionRule {
  return { ...rule, isOptional: true };
}

/**
 * Checks the options of a suite before it declares a test.
 *
 * @throws TypeError that names the option that is missing, unknown or wrong.
 */
export function checkOptions<Options extends object>(
  suite: string,
  options: Options,
  rules: { readonly [Name in keyof Options]-?: OptionRule },
): void {
  const given = new Map<string, unknown>(Object.entries((options as Options | undefined) ?? {}));
  for (const name of given.keys()) {
    if (!Object.hasOwn(rules, name)) {
      throw new TypeError(`${suite} has no option ${name}, but ${Object.keys(rules).join(', ')}`);
    }
  }
  for (const [name, { rule, accepts, isOptional = false }] of Object.entries<OptionRule>(rules)) {
    const value = given.get(name);
    if (value === undefined ? !isOptional : !accepts(value)) {
      throw new TypeError(`the option ${name} of ${suite} must be ${rule}`);
    }
  }
}
