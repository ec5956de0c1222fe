import { PET_MEMBER_NAMES, type Pet } from './pet.js';

/** An animal of JSON values: its integers are decimal texts. */
export type PetJson = { readonly [Member in keyof Pet]: Pet[Member] extends bigint ? string : Pet[Member] };

/**
 * Returns an animal as an object that `JSON.stringify` accepts. JSON readers round integers beyond 2^53, so `id` and
 * `categoryId` become decimal texts. `parsePet` reads it back.
 *
 * @example
 * response.json(petToJson(pet)); // {"id":"1","name":"Rex","categoryId":"7"}
 */
export function petToJson(pet: Pet): PetJson {
  const json: Partial<Record<keyof Pet, unknown>> = {};
  for (const member of ['id', ...PET_MEMBER_NAMES] as const) {
    const value = pet[member];
    if (value !== undefined) json[member] = typeof value === 'bigint' ? String(value) : value;
  }
  return json as unknown as PetJson;
}
