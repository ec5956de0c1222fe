import { isAnimalStoreError } from '../../domain/errors.js';
import { makeNewPet, PET_MEMBER_NAMES, type NewPet, type NewPetInput } from '../../domain/pet.js';

/**
 * One animal of a file to import: a valid `newPet`, or the `fault` because of which there is none. `line` is the line on which it
 * begins, as an editor counts: from 1, with the header.
 */
export type FilePet = { readonly line: number } & CheckedPet;

type CheckedPet =
  { readonly newPet: NewPet; readonly fault?: undefined } | { readonly newPet?: undefined; readonly fault: string };

/** Options for reading a file of new animals. */
export interface FilePetsOptions {
  /**
   * Called once for each column or member that is ignored because animals do not have it, with its name in quotes, invisible
   * characters escaped: `"colour"`. Of CSV, all of them are told before the first animal; of NDJSON, at most 20, each before the
   * animal that has it.
   */
  readonly onIgnored?: ((quotedName: string) => void) | undefined;
}

/** The maximum number of characters of a value that a message quotes. */
const QUOTED_MAX = 40;

/** Characters without a shape of their own: control and format characters, spaces, fillers. */
const INVISIBLE = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu;

const MEMBER_OF: ReadonlyMap<string, string> = new Map(PET_MEMBER_NAMES.map((name) => [plain(name), name]));

/** Checks the values of an animal. The fault quotes the values that break a rule. */
export function checkPet(input: NewPetInput): CheckedPet {
  try {
    return { newPet: makeNewPet(input) };
  } catch (error) {
    if (!isAnimalStoreError(error)) throw error;
    const faults = error.faults.map(({ member, rule }) => {
      return `${member} ${rule}${notThis((input as unknown as Readonly<Record<string, unknown>>)[member])}`;
    });
    return { fault: faults.join('; ') };
  }
}

/**
 * Whether animals have a member of this name.
 *
 * @returns `misspelt`, with the right name, if the name differs from that of a member only by case, white space and invisible
 * characters. To ignore such a column would lose its values.
 */
export function lookUpMember(name: string): 'known' | 'unknown' | { readonly misspelt: string } {
  const member = MEMBER_OF.get(plain(name));
  if (member === undefined) return 'unknown';
  return member === name ? 'known' : { misspelt: `${quoted(name)} must be named ${member} exactly` };
}

/** A text in quotes. Characters that a reader would not see are escaped. */
export function quoted(text: string): string {
  return JSON.stringify(text).replaceAll(INVISIBLE, (character) => {
    if (character === ' ') return character;
    return character.split('').map(escaped).join('');
  });
}

function escaped(codeUnit: string): string {
  return `\\u${codeUnit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}

function plain(name: string): string {
  return name.normalize('NFKC').replaceAll(INVISIBLE, '').toLowerCase();
}

/** Names a value after the rule that it breaks. */
function notThis(value: unknown): string {
  if (value === null || typeof value === 'boolean') return `, not ${value}`;
  if (typeof value !== 'string') return '';
  const shown = Array.from(value.slice(0, 2 * QUOTED_MAX))
    .slice(0, QUOTED_MAX)
    .join('');
  return shown === value ? `, not ${quoted(value)}` : `, not ${quoted(shown)}…`;
}
