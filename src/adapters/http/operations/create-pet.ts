import type { AnimalStore } from '../../../application/animal-store.js';
import type { Pet } from '../../../domain/pet.js';
import { jsonAnswer } from '../answer.js';
import { HttpError } from '../errors.js';
import { parseJsonBody, readJsonText } from '../json/json-body.js';
import { newPetInput } from '../json/new-pet-input.js';
import type { Operation } from '../operation.js';
import { petJson } from '../json/pet-json.js';
import { clientPath, type HttpRequest } from '../request.js';
import { EVERYWHERE, failures, header, ref, success } from '../description.js';
import { IDEMPOTENCY_KEY_RULE, idempotencyKeyOf, idempotencyKeySchema, onceOf } from '../idempotency-key.js';

/** The header field of the answer to a repeated creation. */
const REPLAYED = ['Idempotency-Replayed', 'true'];

/**
 * `POST /pets`: adds an animal, and answers with its path. With an `Idempotency-Key`, adds it once for each key of a principal.
 * Checks the field before it reads the body.
 */
export function createPet(store: AnimalStore, basePath: string, bodyLimit: number): Operation {
  return {
    method: 'POST',
    path: '/pets',
    async handle({ request, principal }) {
      const key = idempotencyKeyOf(request.rawHeaders);
      if (key !== undefined && store.createPetOnce === undefined) throw keysNotSupported();
      const newPet = newPetInput(parseJsonBody(await readJsonText(request, bodyLimit)));
      if (key === undefined || store.createPetOnce === undefined) {
        const pet = await store.createPet(newPet);
        return jsonAnswer(201, petJson(pet), locationOf(pet, request));
      }
      const { pet, replayed } = await store.createPetOnce(newPet, onceOf(key, principal));
      const location = locationOf(pet, request);
      return jsonAnswer(201, petJson(pet), replayed ? [...location, ...REPLAYED] : location);
    },
    description: {
      operationId: 'createPet',
      summary: 'Add an animal',
      description:
        'With an `Idempotency-Key`, the request can be sent again until it is answered, and adds the animal once. Repeats with the same animal get the same answer for at least 24 hours.',
      parameters: [
        {
          name: 'Idempotency-Key',
          in: 'header',
          required: false,
          schema: idempotencyKeySchema,
          description: `Names this creation among all those of the API key's owner, such as a fresh UUID; it ${IDEMPOTENCY_KEY_RULE}. A service whose store keeps no such keys answers 400 to it.`,
        },
      ],
      requestBody: { required: true, content: { 'application/json': { schema: ref('NewPet') } } },
      responses: {
        201: success('Pet', 'The animal, with its id', {
          Location: header('The path of the animal'),
          'Idempotency-Replayed': header(
            '`true` if an earlier request with the same `Idempotency-Key` added the animal',
          ),
        }),
        ...failures(
          'invalid_parameter',
          'invalid_body',
          'body_too_large',
          'unsupported_media_type',
          'idempotency_key_reused',
          ...EVERYWHERE,
        ),
      },
    },
  };

  function locationOf({ id }: Pet, request: HttpRequest): string[] {
    return ['Location', `${clientPath(request, basePath)}/pets/${id}`];
  }
}

function keysNotSupported(): HttpError {
  const message = 'Idempotency-Key must not be given: the store of this service keeps no such keys';
  return new HttpError('invalid_parameter', message);
}
