import { isAnimalStoreError } from '../../domain/errors.js';
import { makeNewPet, PET_MEMBER_NAMES, type NewPet, type NewPetInput } from '../../domain/pet.js';

/**
 * One animal of a file to import: a valid `newPet`, or the `fault` for which it is refused. `line` is the line on which it
 * begins, as an editor counts: from 1, with the header.
 */
export type FilePet = { readonly line: number } & CheckedPet;

type CheckedPet =
  { readonly newPet: NewPet; readonly fault?: undefined } | { readonly newPet?: undefined; readonly fault: string };

export interface FilePetsOptions {
  /**
   * Called once for each column or member that is ignored because animals do not have it, with its name in quotes, invisible
   * characters escaped: `"colour"`. For CSV, all are reported before the first animal; for NDJSON, at most 20, each before the
   * animal that has it.
   */
  readonly onIgnored?: ((quotedName: string) => void) | undefined;
}

/** In characters. */
const SHOWN_MAX = 40;

/** Characters without a shape of their own: control and format characters, spaces, fillers. */
const INVISIBLE = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu;

const MEMBER_OF: ReadonlyMap<string, string> = new Map(PET_MEMBER_NAMES.map((name) => [plain(name), name]));

/** The fault shows the values that break a rule. */
export function checkPet(input: NewPetInput): CheckedPet {
  try {
    return { newPet: makeNewPet(input) };
  } catch (error) {
    if (!isAnimalStoreError(error)) throw error;
    const values = input as unknown as Readonly<Record<string, unknown>>;
    return { fault: error.faults.map(({ member, rule }) => `${member} ${rule}${notThis(values[member])}`).join('; ') };
  }
}

/** The member whose name differs from this one only by case, white space and invisible characters. */
export function memberLike(name: string): string | undefined {
  return MEMBER_OF.get(plain(name));
}

/** The fault of a name that is almost a member's name: ignoring it would lose its values. */
export function misspelt(name: string, member: string): string {
  return `${quoted(name)} must be named ${member} exactly`;
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

/** Shows a value after the rule that it breaks. A symbol stands for the number that it describes. */
function notThis(value: unknown): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return `, not ${shortened(value, quoted)}`;
  if (typeof value === 'symbol') return `, not ${shortened(value.description ?? '', String)}`;
  if (typeof value === 'object' && value !== null) return `, not an ${Array.isArray(value) ? 'array' : 'object'}`;
  return `, not ${value as bigint | boolean | null}`;
}

function shortened(text: string, show: (text: string) => string): string {
  const start = Array.from(text.slice(0, 2 * SHOWN_MAX))
    .slice(0, SHOWN_MAX)
    .join('');
  return start === text ? show(text) : `${show(start)}…`;
}
