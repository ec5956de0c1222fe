import { AnimalStoreError, type Fault } from './errors.js';
import { INT64_MAX, INT64_MIN, toInt64, type Int64Like } from './int64.js';
import { isPetStatus, PET_STATUSES, type PetStatus } from './pet-status.js';

/** An animal for a catalogue to keep: valid, and frozen. */
export interface NewPet {
  /** 1 to 1,024 Unicode code points, kept exactly as given: not trimmed, not normalised. */
  readonly name: string;
  /** The category that the animal belongs to: any int64. */
  readonly categoryId: bigint;
  /** Left out, never `undefined`, if the animal has no status. */
  readonly status?: PetStatus;
}

/** An animal of the catalogue. It never changes once made. */
export interface Pet extends NewPet {
  /** Assigned by the catalogue: positive, unique, never reused, growing from 1; gaps are allowed. */
  readonly id: bigint;
}

/** The input from which an animal is created. */
export interface NewPetInput {
  readonly name: string;
  readonly categoryId: Int64Like;
  readonly status?: PetStatus | undefined;
}

/** The greatest length of a name, in Unicode code points. */
export const NAME_MAX_LENGTH = 1024;

/** The {@link Fault.rule} for each member of an animal. */
export const PET_RULES = {
  name: `must be a string of 1 to ${NAME_MAX_LENGTH} Unicode code points, one of them not white space, without U+0000 or lone surrogates`,
  categoryId: `must be an integer from ${INT64_MIN} to ${INT64_MAX}`,
  status: `must be one of ${PET_STATUSES.join(', ')}, or be left out`,
} as const satisfies Record<keyof NewPet, string>;

/**
 * Checks an input, and makes a valid {@link NewPet} from it. Ignores members that an animal does not have.
 *
 * @throws AnimalStoreError `invalid_pet`, with every fault.
 */
export function makeNewPet(input: NewPetInput): NewPet {
  if (!isObject(input)) throw new AnimalStoreError('invalid_pet', 'an animal must be an object');
  const { name, status } = input;
  const categoryId = toInt64(input.categoryId);
  const faults: Fault[] = [];
  if (!isName(name)) faults.push({ member: 'name', rule: PET_RULES.name });
  if (categoryId === undefined) faults.push({ member: 'categoryId', rule: PET_RULES.categoryId });
  if (status !== undefined && !isPetStatus(status)) faults.push({ member: 'status', rule: PET_RULES.status });
  if (categoryId === undefined || faults.length > 0) throw new AnimalStoreError('invalid_pet', faults);
  return Object.freeze(status === undefined ? { name, categoryId } : { name, categoryId, status });
}

/**
 * Makes the animal that a catalogue returns, from the id that it assigned and the animal that it was given. The result is
 * frozen and has no other members. Does not check its arguments.
 */
export function makePet(id: bigint, { name, categoryId, status }: NewPet): Pet {
  return Object.freeze(status === undefined ? { id, name, categoryId } : { id, name, categoryId, status });
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isName(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    isShortEnough(value) &&
    /\P{White_Space}/u.test(value) &&
    !value.includes('\0') &&
    value.isWellFormed()
  );
}

/** A code point takes one or two code units, so only long names need a count of code points. */
function isShortEnough(name: string): boolean {
  if (name.length <= NAME_MAX_LENGTH) return true;
  return name.length <= 2 * NAME_MAX_LENGTH && [...name].length <= NAME_MAX_LENGTH;
}
