/** The configuration is invalid. `message` names the setting and the rule that it breaks, and repeats no secret. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
