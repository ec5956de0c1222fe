/**
 * Checks options that are spans of time or numbers of things.
 *
 * @throws TypeError for a value that is not an integer from `minimum` to 2^31 − 1.
 */
export function checkOptions(options: Readonly<Record<string, number>>, minimum = 1): void {
  for (const [name, value] of Object.entries(options)) {
    if (!Number.isInteger(value) || value < minimum || value > 2 ** 31 - 1) {
      throw new TypeError(`${name} must be an integer from ${minimum} to 2147483647`);
    }
  }
}
