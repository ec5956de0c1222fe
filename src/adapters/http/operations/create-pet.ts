import type { AnimalStore } from '../../../application/animal-store.js';
import { messageOfFaults } from '../../../domain/errors.js';
import { PET_MEMBERS } from '../../../domain/pet.js';
import { parseNewPetBody } from '../bodies/new-pet-body.js';
import { petJson } from '../bodies/pet-json.js';
import { exampleNewPets, examplePets } from '../bodies/schemas.js';
import { bodyTooLarge, ERRORS, methodNotAllowed } from '../pipeline/errors.js';
import { jsonResponse } from '../pipeline/http-response.js';
import type { Operation } from '../pipeline/operation.js';
import {
  errorResponses,
  header,
  jsonContent,
  optionalHeader,
  PETS_TAG,
  responseObject,
  type OperationDescription,
} from './description.js';
import { IDEMPOTENCY_KEY_FIELD_RULE, idempotencyKeyOf, idempotencyKeySchema, scopedKey } from './idempotency-key.js';

export function createPet(store: AnimalStore, basePath: string): Operation {
  return {
    method: 'POST',
    path: '/pets',
    hasBody: true,
    async handle({ request: { rawHeaders, mountPath }, principal, body }) {
      const key = idempotencyKeyOf(rawHeaders);
      const newPet = parseNewPetBody(body);
      const once = key === undefined ? undefined : await store.createPetOnce(newPet, scopedKey(key, principal));
      const pet = once === undefined ? await store.createPet(newPet) : once.pet;
      const response = jsonResponse(201, petJson(pet), 'Location', `${mountPath}${basePath}/pets/${pet.id}`);
      if (once?.replayed === true) response.headers.push('Idempotency-Replayed', 'true');
      return response;
    },
  };
}

export function describeCreatePet(basePath: string, bodyLimit: number): OperationDescription {
  return {
    operationId: 'createPet',
    summary: 'Add an animal',
    tags: [PETS_TAG],
    description:
      'Unknown members of the body, including `id`, are ignored. If a member is repeated, the last one counts.\n\nIf the response is lost, the animal may still have been stored. To retry safely, send an `Idempotency-Key`: you can then repeat the request until it is answered, and the animal is added only once. For as long as the animal is stored, a repeat with the same animal gets the same response, with `Idempotency-Replayed: true`.',
    parameters: [
      {
        name: 'Idempotency-Key',
        in: 'header',
        required: false,
        schema: idempotencyKeySchema,
        description: `Identifies this creation among those of the API key's owner: a new UUID, for example. It ${IDEMPOTENCY_KEY_FIELD_RULE}. A service that does not support it answers 400.`,
      },
    ],
    requestBody: {
      description: 'The animal to add',
      required: true,
      content: jsonContent('NewPet', exampleNewPets),
    },
    responses: {
      201: responseObject(
        'The animal, with its id',
        {
          Location: header('The path of the animal', `${basePath}/pets/1`),
          'Idempotency-Replayed': optionalHeader(
            '`true` if an earlier request with the same `Idempotency-Key` added the animal',
            'true',
          ),
        },
        jsonContent('Pet', examplePets),
      ),
      ...errorResponses({
        invalid_body: messageOfFaults([
          { member: 'name', rule: PET_MEMBERS.name.rule },
          { member: 'categoryId', rule: 'is required' },
        ]),
        invalid_parameter: `Idempotency-Key ${IDEMPOTENCY_KEY_FIELD_RULE}`,
        method_not_allowed: methodNotAllowed('GET, HEAD, POST').message,
        body_too_large: bodyTooLarge(bodyLimit).message,
        unsupported_media_type: ERRORS.unsupported_media_type.message,
        idempotency_key_reused: ERRORS.idempotency_key_reused.message,
      }),
    },
  };
}
