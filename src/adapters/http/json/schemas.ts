import { LIST_LIMIT } from '../../../application/list-pets.js';
import { NAME_MAX_LENGTH } from '../../../domain/pet.js';
import { PET_STATUSES } from '../../../domain/pet-status.js';
import { ERROR_STATUS } from '../errors.js';

const int64 = { type: 'integer', format: 'int64' } as const;

/** The JSON Schema (2020-12) of `PetStatus`. */
export const petStatusSchema = {
  type: 'string',
  enum: [...PET_STATUSES],
  description: 'Availability of the animal',
};

const petMembers = {
  name: {
    type: 'string',
    examples: ['Rex'],
    minLength: 1,
    maxLength: NAME_MAX_LENGTH,
    allOf: [{ pattern: '\\P{White_Space}' }, { pattern: '^[^\\u0000\\p{Cs}]*$' }],
    description:
      "The animal's name: not white space alone, without U+0000 and lone surrogates; kept exactly as sent, neither trimmed nor normalised",
  },
  categoryId: { ...int64, description: 'Identifier of the category that the animal belongs to', examples: [7] },
  status: petStatusSchema,
};

/** The JSON Schema of `NewPet`, the body of `createPet`. Members that it does not name are ignored. */
export const newPetSchema = { type: 'object', required: ['name', 'categoryId'], properties: petMembers };

/** The JSON Schema of `Pet`. */
export const petSchema = {
  type: 'object',
  required: ['id', 'name', 'categoryId'],
  properties: {
    id: { ...int64, description: 'Unique identifier, assigned by the service', examples: [1] },
    ...petMembers,
  },
};

/** The JSON Schema of `Error`. */
export const errorSchema = {
  type: 'object',
  required: ['code', 'message', 'status'],
  properties: {
    code: { type: 'string', enum: Object.keys(ERROR_STATUS), description: 'Machine-readable error code' },
    message: { type: 'string', description: 'Human-readable description' },
    status: { type: 'integer', description: 'The HTTP status code of the response' },
  },
};

/** The JSON Schema of the parameter `limit`. */
export const limitSchema = { type: 'integer', ...LIST_LIMIT };

/** The JSON Schema of an identifier in a path or a query. */
export const idSchema = int64;
