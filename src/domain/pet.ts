import { AnimalStoreError, type Fault } from './errors.js';
import { INT64_MAX, INT64_RULE, int64RuleFor, parseInt64, toInt64, type Int64Like } from './int64.js';
import { isPetStatus, PET_STATUSES, type PetStatus } from './pet-status.js';

/** An animal for a catalogue to store: valid, and frozen, so that the catalogue may keep the object while it waits. */
export interface NewPet {
  /** 1 to 1,024 Unicode code points, kept exactly as given: not trimmed, not normalised. */
  readonly name: string;
  /** The category that the animal belongs to: any int64. */
  readonly categoryId: bigint;
  /** Left out, never `undefined`, if the animal has no status. */
  readonly status?: PetStatus;
}

/** An animal of the catalogue. It never changes. */
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

/** The maximum length of a name, in Unicode code points. */
export const NAME_MAX_LENGTH = 1024;

export const PET_ID_RULE = `must be an integer from 1 to ${INT64_MAX}`;

interface PetMember<Name extends keyof NewPet> {
  readonly rule: string;
  /** @default always `rule` */
  readonly ruleFor?: (value: unknown) => string;
  readonly isOptional: undefined extends NewPet[Name] ? true : false;
  /** @returns `undefined` if the value breaks the rule. */
  readonly read: (value: unknown) => NonNullable<NewPet[Name]> | undefined;
  /** @returns `undefined` if the text stands for none. @default the text itself */
  readonly parse?: (text: string) => NonNullable<NewPet[Name]> | undefined;
}

/** The only list of the members, in their order: what checks, compares or stores animals follows it. */
export const PET_MEMBERS: { readonly [Name in keyof NewPet]-?: PetMember<Name> } = {
  name: {
    rule: `must be a string of 1 to ${NAME_MAX_LENGTH} Unicode code points, at least one of them not white space, without U+0000 or lone surrogates`,
    isOptional: false,
    read: (value) => (isName(value) ? value : undefined),
  },
  categoryId: {
    rule: INT64_RULE,
    ruleFor: int64RuleFor,
    isOptional: false,
    read: toInt64,
    parse: parseInt64,
  },
  status: {
    rule: `must be one of ${PET_STATUSES.join(', ')}, or be left out`,
    isOptional: true,
    read: (value) => (isPetStatus(value) ? value : undefined),
  },
};

export const PET_MEMBER_NAMES = Object.keys(PET_MEMBERS) as readonly (keyof NewPet)[];

/** Ignores members that an animal does not have. @throws AnimalStoreError `invalid_pet`, with every fault. */
export function makeNewPet(input: NewPetInput): NewPet {
  if (!isObject(input)) throw notAnObject();
  const { members, faults } = readMembers(input);
  if (faults.length > 0) throw new AnimalStoreError('invalid_pet', faults);
  return Object.freeze(members as unknown as NewPet);
}

function readMembers(input: NewPetInput) {
  const members: Partial<Record<keyof NewPet, unknown>> = {};
  const faults: Fault[] = [];
  for (const member of PET_MEMBER_NAMES) {
    const { rule, ruleFor, isOptional, read } = PET_MEMBERS[member];
    const given: unknown = input[member];
    if (given === undefined && isOptional) continue;
    const value = read(given);
    if (value === undefined) faults.push({ member, rule: ruleFor?.(given) ?? rule });
    else members[member] = value;
  }
  return { members, faults };
}

export function notAnObject(): AnimalStoreError {
  return new AnimalStoreError('invalid_pet', 'an animal must be an object');
}

/**
 * Every fault of an input, in the order of its members. There is none if `createPet` accepts the input, and if it is not an object.
 * For an adapter, which may find values in its database that another program has stored.
 */
export function faultsOfNewPet(input: NewPetInput): readonly Fault[] {
  return isObject(input) ? readMembers(input).faults : [];
}

export function isPetId(value: unknown): value is bigint {
  return typeof value === 'bigint' && value > 0n && value <= INT64_MAX;
}

/**
 * Makes the animal that a catalogue returns, from the id that it assigned and the animal that it was given. The result is
 * frozen and has no other members. Does not check its arguments.
 */
export function makePet(id: bigint, newPet: NewPet): Pet {
  const members: Partial<Record<keyof Pet, unknown>> = { id };
  for (const member of PET_MEMBER_NAMES) {
    const value = newPet[member];
    if (value !== undefined) members[member] = value;
  }
  return Object.freeze(members as unknown as Pet);
}

/** Whether two animals are the same, whatever their ids: every member is, strings code unit for code unit. */
export function isSamePet(one: NewPet, other: NewPet): boolean {
  return PET_MEMBER_NAMES.every((member) => one[member] === other[member]);
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

/** A code point takes one or two code units, so only long names are counted. */
function isShortEnough(name: string): boolean {
  if (name.length <= NAME_MAX_LENGTH) return true;
  return name.length <= 2 * NAME_MAX_LENGTH && [...name].length <= NAME_MAX_LENGTH;
}
