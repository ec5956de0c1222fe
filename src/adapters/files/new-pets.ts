import { isAnimalStoreError } from '../../domain/errors.js';
import { makeNewPet, PET_MEMBER_NAMES, type NewPet, type NewPetInput } from '../../domain/pet.js';

/** `line` is the one on which the animal begins, as an editor counts: from 1, with the header. */
export type FilePet = { readonly line: number } & CheckedPet;

type CheckedPet =
  { readonly newPet: NewPet; readonly fault?: undefined } | { readonly newPet?: undefined; readonly fault: string };

export interface FilePetsOptions {
  /**
   * Called once for each ignored column or member, with its name in quotes, invisible characters escaped. For CSV, all are reported
   * before the first animal; for NDJSON, at most 20.
   */
  readonly onIgnored?: ((quotedName: string) => void) | undefined;
}

/** In characters. */
const SHOWN_MAX = 40;

/** Characters without a shape of their own: control and format characters, spaces, fillers. */
const INVISIBLE = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu;

const MEMBER_OF: ReadonlyMap<string, string> = new Map(PET_MEMBER_NAMES.map((name) => [plain(name), name]));

export function checkPet(input: NewPetInput): CheckedPet {
  try {
    return { newPet: makeNewPet(input) };
  } catch (error) {
    if (!isAnimalStoreError(error)) throw error;
    const values = input as unknown as Readonly<Record<string, unknown>>;
    return { fault: error.faults.map(({ member, rule }) => `${member} ${rule}${notThis(values[member])}`).join('; ') };
  }
}

/** Ignores differences of case, white space and invisible characters. */
export function memberLike(name: string): string | undefined {
  return MEMBER_OF.get(plain(name));
}

/** To ignore such a name would lose its values. */
export function misspelt(name: string, member: string): string {
  return `${quoted(name)} must be named ${member} exactly`;
}

/** Escapes the characters that a reader would not see. */
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

/** A symbol stands for the number that it describes. */
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
