import fc from 'fast-check';

/** How many code points are surrogates, and the first code point after them. */
const [SURROGATES, AFTER_SURROGATES] = [0x800, 0xe000];

function letterOf(number: number): string {
  return String.fromCodePoint(number < AFTER_SURROGATES - SURROGATES ? number : number + SURROGATES);
}

/** Lets fast-check mix in texts of its own, such as `__proto__`. */
function numberOf(letter: unknown): number {
  if (typeof letter !== 'string' || [...letter].length !== 1) throw new TypeError('not one code point');
  const codePoint = letter.codePointAt(0) as number;
  return codePoint < AFTER_SURROGATES ? codePoint : codePoint - SURROGATES;
}

const letter = fc.integer({ min: 0, max: 0x10ffff - SURROGATES }).map(letterOf, numberOf);

/** Any well-formed text. fast-check's own unit `binary` gives the same, but takes seconds to make. */
export function anyText(constraints: Omit<fc.StringConstraints, 'unit'> = {}): fc.Arbitrary<string> {
  return fc.string({ ...constraints, unit: letter });
}
