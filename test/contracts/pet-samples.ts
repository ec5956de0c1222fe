import { INT64_MAX, INT64_MIN } from '../../src/domain/int64.js';
import { PET_STATUSES } from '../../src/domain/pet-status.js';
import { PET_MEMBER_NAMES, PET_MEMBERS, type NewPet } from '../../src/domain/pet.js';

/**
 * Values of each member of an animal, by their special property: values at the limits of the rule, and values that are almost
 * the same. The first one is the value of {@link REX}. All checks of members use this table.
 */
export const SAMPLES: { readonly [Member in keyof NewPet]-?: Readonly<Record<string, NonNullable<NewPet[Member]>>> } = {
  name: {
    'a plain one': 'Rex',
    'another case': 'rex',
    'white space after it': 'Rex ',
    'white space around it': ' \t Rex \n ',
    'decomposed and composed letters': 'e\u0301 \u00e9',
    'code points beyond the basic plane': '😀'.repeat(1024),
    'characters that stores give a meaning': '$where.{"$gt":""}\'--;\\',
    'the name of an inherited member': '__proto__',
    'a byte order mark first': '\ufeffRex',
    'line ends of every kind': 'R\r\ne\nx\r',
    'control characters': '\u0001\u007f\u0085\u2028\ufeff',
    'noncharacters and the replacement character': '\ufffd\uffff\ufdd0',
    'one code point': 'R',
    'digits alone': '007',
  },
  categoryId: {
    'a small one': 7n,
    'the least': INT64_MIN,
    'one more than the least': INT64_MIN + 1n,
    'less than a double can hold': -9007199254740993n,
    'a negative one': -1n,
    zero: 0n,
    'more than 32 bits can hold': 2147483648n,
    'more than a double can hold': 9007199254740993n,
    'one less than the greatest': INT64_MAX - 1n,
    'the greatest': INT64_MAX,
  },
  status: Object.fromEntries(PET_STATUSES.map((status) => [status, status])),
};

/** The names of the members that an animal may lack. */
export const OPTIONAL_MEMBERS = PET_MEMBER_NAMES.filter((member) => PET_MEMBERS[member].isOptional);

/** An animal with every member. */
export const REX: NewPet = samplesAt(0);

/** Every value of a member, by what is special about it, and {@link REX} with this value. */
export function rexesWith(member: keyof NewPet): readonly (readonly [what: string, pet: NewPet])[] {
  return Object.entries(SAMPLES[member]).map(([what, value]) => [what, { ...REX, [member]: value }]);
}

/** {@link REX} without an optional member. */
export function rexWithout(member: keyof NewPet): NewPet {
  const { [member]: _left, ...others } = REX;
  return others as NewPet;
}

/** Animals that differ from {@link REX} in one member each, by the difference. */
export const OTHERS: readonly (readonly [what: string, pet: NewPet])[] = [
  ...PET_MEMBER_NAMES.flatMap((member) => rexesWith(member).slice(1)),
  ...OPTIONAL_MEMBERS.map((member) => [`no ${member}`, rexWithout(member)] as const),
];

/** Animals that together have every value of every member. */
export function samplePets(): readonly NewPet[] {
  const count = Math.max(...PET_MEMBER_NAMES.map((member) => Object.keys(SAMPLES[member]).length));
  return Array.from({ length: count }, (_, i) => samplesAt(i));
}

/** The animal with each member's value at an index. If a member has fewer values, they repeat. */
function samplesAt(index: number): NewPet {
  const members = PET_MEMBER_NAMES.map((member) => {
    const values = Object.values(SAMPLES[member]);
    return [member, values[index % values.length]];
  });
  return Object.fromEntries(members);
}
