import { makeNewPet, PET_MEMBER_NAMES, PET_MEMBERS, type NewPet, type NewPetInput } from './pet.js';

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
  return makeNewPet(
    typeof values === 'object' && values !== null ? petInputOf(membersOf(values)) : (values as NewPetInput),
  );
}

/** Returns the input that texts or JSON values stand for. Does not check it: a value that breaks a rule stays as it is. */
export function petInputOf(values: { readonly [Name in keyof NewPet]?: unknown }): NewPetInput {
  const input: Partial<Record<keyof NewPet, unknown>> = {};
  for (const member of PET_MEMBER_NAMES) {
    const { isOptional, parse } = PET_MEMBERS[member];
    const value = values[member];
    if (value === undefined || (isOptional && (value === '' || value === null))) continue;
    input[member] = typeof value === 'string' ? (parse?.(value) ?? value) : value;
  }
  return input as unknown as NewPetInput;
}

function membersOf(values: object): object {
  const isEntries = Symbol.iterator in values && !Array.isArray(values);
  return isEntries ? Object.fromEntries(values as Iterable<readonly [string, unknown]>) : values;
}
