/** Nothing nested, no escape, and no number but integers of at most 15 digits, which a double holds exactly. */
const PLAIN_OBJECT = /^\s*\{(?:[^"[{\\\d]|"[^"\\]*"|(?<![.\dEe+])\d{1,15}(?![.\deE]))*$/;

/**
 * Parses the JSON text of an object by the engine's own parser, which is several times as fast as one that keeps every
 * digit, if the text is so plain that both give the same value. Integers become `bigint`.
 *
 * @returns `undefined` for any other text, the malformed included.
 */
export function parsePlainObject(text: string): Record<string, unknown> | undefined {
  if (!PLAIN_OBJECT.test(text)) return undefined;
  let object: Record<string, unknown>;
  try {
    object = JSON.parse(text) as Record<string, unknown>;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  for (const member of Object.keys(object)) {
    const value = object[member];
    if (typeof value === 'number') object[member] = BigInt(value);
  }
  return object;
}
