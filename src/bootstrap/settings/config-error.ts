/** Everything that is wrong with a configuration. The message has one line for each fault. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  /** One line each, without a full stop: the name of the flag or variable, then the rule that it breaks. */
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`${faults.length} fault${faults.length === 1 ? '' : 's'} in the configuration:\n  ${faults.join('\n  ')}`);
    this.faults = faults;
  }
}
