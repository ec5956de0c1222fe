import { petNotFound } from '../../../application/get-pet.js';
import { NAME_MAX_LENGTH, PET_MEMBER_NAMES, PET_MEMBERS, type NewPet } from '../../../domain/pet.js';
import { PET_STATUSES } from '../../../domain/pet-status.js';
import { ERROR_STATUS } from '../pipeline/errors.js';

export const int64Schema = { type: 'integer', format: 'int64' } as const;

export function ref(schema: string): { readonly $ref: string } {
  return { $ref: `#/components/schemas/${schema}` };
}

export const petStatusSchema = {
  type: 'string',
  enum: [...PET_STATUSES],
  description: 'Availability of the animal',
};

/**
 * Of ASCII. The domain checks for the rest: no escape for it means the same in ECMAScript, Python, RE2, Go, Java and Ruby, and raw
 * U+2028 and U+2029 end a line in YAML and in a regular expression literal. So the pattern uses no property escape, either.
 */
const WHITE_SPACE = '\\x09-\\x0d\\x20';

const petMembers = {
  name: {
    type: 'string',
    examples: ['Rex'],
    minLength: 1,
    maxLength: NAME_MAX_LENGTH,
    // No two adjacent parts match the same character, so a match takes linear time.
    pattern: `^[${WHITE_SPACE}]*[^\\x00${WHITE_SPACE}][^\\x00]*$`,
    description:
      "The animal's name. At least one character is not white space (Unicode `White_Space`), none is U+0000, and none is a lone surrogate. The pattern says this for ASCII only, as a pattern for all of Unicode is not portable. The length counts Unicode code points. The name is kept exactly as sent, neither trimmed nor normalised.",
  },
  categoryId: { ...int64Schema, description: 'Identifier of the category that the animal belongs to', examples: [7] },
  status: ref('PetStatus'),
} satisfies Record<keyof NewPet, object>;

const requiredMembers = PET_MEMBER_NAMES.filter((member) => !PET_MEMBERS[member].isOptional);

/** Members that it does not name are ignored. */
export const newPetSchema = { type: 'object', required: requiredMembers, properties: petMembers };

export const petSchema = {
  type: 'object',
  required: ['id', ...requiredMembers],
  properties: {
    id: { ...int64Schema, description: 'Unique identifier, assigned by the service', examples: [1] },
    ...petMembers,
  },
};

export const exampleNewPets = {
  available: { name: 'Rex', categoryId: 7, status: 'available' },
  withoutStatus: { name: 'Björk 🐟', categoryId: -7 },
};

export const examplePets = {
  available: { id: 1, ...exampleNewPets.available },
  withoutStatus: { id: 2, ...exampleNewPets.withoutStatus },
};

export const errorSchema = {
  type: 'object',
  required: ['code', 'message', 'status'],
  properties: {
    code: {
      type: 'string',
      'x-extensible-enum': Object.keys(ERROR_STATUS),
      description:
        'Machine-readable error code. A code never changes its meaning. Later versions may add codes: treat one that you do not know by the HTTP status.',
      examples: ['pet_not_found'],
    },
    message: {
      type: 'string',
      description: 'Human-readable description. It may change at any time: do not parse it.',
      examples: [petNotFound().message],
    },
    status: {
      type: 'integer',
      description: 'The HTTP status code of the response',
      examples: [ERROR_STATUS.pet_not_found],
    },
  },
};
