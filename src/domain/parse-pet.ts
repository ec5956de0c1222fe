import { AnimalStoreError } from './errors.js';
import { int64RuleFor, parseInt64, toInt64 } from './int64.js';
import {
  faultsOfNewPet,
  isPetId,
  makeNewPet,
  makePet,
  notAnObject,
  PET_ID_RULE,
  PET_MEMBER_NAMES,
  PET_MEMBERS,
  type NewPet,
  type NewPetInput,
  type Pet,
} from './pet.js';

type Members = { readonly [Name in keyof Pet]?: unknown };

/**
 * Makes a valid {@link NewPet} from values as a form, a query or a message has them: texts, JSON values, or a mixture of both.
 *
 * - A text stands for a `categoryId` as {@link parseInt64} reads it.
 * - An empty text or `null` means that there is no `status`.
 * - Members that an animal does not have are ignored.
 *
 * @param values An object with the members, or their entries, such as a `FormData`, a `URLSearchParams` or a `Map`. Of repeated
 * entries, the last one counts.
 * @returns The animal, which `createPet` and `createPetOnce` accept.
 * @throws AnimalStoreError `invalid_pet`, with every fault.
 * @example
 * const newPet = parseNewPet(new URLSearchParams('name=Rex&categoryId=7&status='));
 */
export function parseNewPet(values: unknown): NewPet {
  return makeNewPet(petInputOf(membersOf(values)));
}

/**
 * Makes an animal with its id from values as {@link parseNewPet} accepts them, such as those that `petToJson` returned.
 *
 * @throws AnimalStoreError `invalid_pet`, with every fault.
 */
export function parsePet(values: unknown): Pet {
  const members = membersOf(values);
  const id = typeof members.id === 'string' ? parseInt64(members.id) : toInt64(members.id);
  const input = petInputOf(members);
  if (isPetId(id)) return makePet(id, makeNewPet(input));
  const rule = int64RuleFor(members.id, PET_ID_RULE);
  throw new AnimalStoreError('invalid_pet', [{ member: 'id', rule }, ...faultsOfNewPet(input)]);
}

/** A value that breaks a rule stays as it is. */
export function petInputOf(values: Members): NewPetInput {
  const input: Partial<Record<keyof NewPet, unknown>> = {};
  for (const member of PET_MEMBER_NAMES) {
    const { isOptional, parse } = PET_MEMBERS[member];
    const value = values[member];
    if (value === undefined || (isOptional && (value === '' || value === null))) continue;
    input[member] = typeof value === 'string' ? (parse?.(value) ?? value) : value;
  }
  return input as unknown as NewPetInput;
}

function membersOf(values: unknown): Members {
  if (typeof values !== 'object' || values === null) throw notAnObject();
  if (!(Symbol.iterator in values) || Array.isArray(values)) return values;
  return Object.fromEntries(values as Iterable<readonly [string, unknown]>);
}
