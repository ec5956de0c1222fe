const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BLANK = 0x20;
const QUOTE = 0x22;
const FULL_STOP = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const CAPITAL_E = 0x45;
const OPENING_BRACKET = 0x5b;
const SMALL_E = 0x65;
const OPENING_BRACE = 0x7b;

/** A double holds every integer of so many digits exactly. */
const MAX_DIGITS = 15;

/**
 * Parses the JSON text of an object by `JSON.parse`, which is several times as fast as a parser that keeps every digit, if the
 * text is so plain that both give the same value. Integers become `bigint`.
 *
 * @returns `undefined` for any other text, malformed ones included.
 */
export function parsePlainObject(text: string): Record<string, unknown> | undefined {
  if (!isPlainObject(text)) return undefined;
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

/**
 * Whether a text, if it is JSON, is an object with nothing nested, no escape, no member `__proto__`, and no number but integers of
 * at most 15 digits.
 * A regular expression would need stack for each character of a long text.
 */
function isPlainObject(text: string): boolean {
  if (text.includes('\\') || text.includes('__proto__')) return false;
  let i = 0;
  while (isWhitespace(text.charCodeAt(i))) i++;
  if (text.charCodeAt(i) !== OPENING_BRACE) return false;
  let digits = 0;
  for (i++; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= ZERO && code <= NINE) {
      if (++digits > MAX_DIGITS) return false;
      continue;
    }
    switch (code) {
      case QUOTE:
        i = text.indexOf('"', i + 1);
        if (i < 0) return false;
        break;
      // A small e also stands in true and false.
      case SMALL_E:
      case CAPITAL_E:
        if (digits > 0) return false;
        break;
      case FULL_STOP:
      case OPENING_BRACKET:
      case OPENING_BRACE:
        return false;
    }
    digits = 0;
  }
  return true;
}

/** Whether a UTF-16 code unit is whitespace of JSON (RFC 8259, section 2). */
export function isWhitespace(code: number): boolean {
  return code === BLANK || code === LINE_FEED || code === CARRIAGE_RETURN || code === TAB;
}
