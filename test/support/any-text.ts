import fc from 'fast-check';

/** Lets fast-check mix in texts of its own, such as `__proto__`. */
function codePointOf(letter: unknown): number {
  if (typeof letter !== 'string' || [...letter].length !== 1) throw new TypeError('not one code point');
  return letter.codePointAt(0) as number;
}

const letter = fc
  .integer({ min: 0, max: 0x10ffff })
  .filter((codePoint) => codePoint < 0xd800 || codePoint > 0xdfff)
  .map((codePoint) => String.fromCodePoint(codePoint), codePointOf);

/** Any well-formed text. fast-check's own unit `binary` gives the same, but takes seconds to make. */
export function anyText(constraints: Omit<fc.StringConstraints, 'unit'> = {}): fc.Arbitrary<string> {
  return fc.string({ ...constraints, unit: letter });
}
