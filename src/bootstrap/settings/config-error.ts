/** Everything that is wrong with a configuration. The message has one line for each fault. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(faults: readonly string[]) {
    super(`${faults.length} fault${faults.length === 1 ? '' : 's'} in the configuration:\n  ${faults.join('\n  ')}`);
  }
}
