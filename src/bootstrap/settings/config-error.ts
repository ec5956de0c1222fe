/** The errors of a configuration. The message has one line for each. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  /** One line each, without a full stop: the name of the flag or variable, then the rule that it breaks. */
  readonly errors: readonly string[];

  constructor(errors: readonly string[]) {
    super(`invalid configuration (${errors.length} error${errors.length === 1 ? '' : 's'}):\n  ${errors.join('\n  ')}`);
    this.errors = errors;
  }
}
