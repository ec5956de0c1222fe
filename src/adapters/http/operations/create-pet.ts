import type { AnimalStore } from '../../../application/animal-store.js';
import { jsonAnswer } from '../answer.js';
import { parseJson, readJsonText } from '../json/json-body.js';
import { compileNewPetCheck } from '../json/new-pet-check.js';
import type { Operation } from '../operation.js';
import { petJson } from '../json/pet-json.js';
import { clientPath } from '../request.js';
import { EVERYWHERE, failures, header, ref, success } from './description.js';

/** `POST /pets`: adds an animal and tells its path. */
export function createPet(store: AnimalStore, basePath: string, bodyLimit: number): Operation {
  const checkNewPet = compileNewPetCheck();
  return {
    method: 'POST',
    path: '/pets',
    async handle({ request }) {
      const text = await readJsonText(request, bodyLimit);
      const pet = await store.createPet(checkNewPet(parseJson(text)));
      return jsonAnswer(201, petJson(pet), ['Location', `${clientPath(request, basePath)}/pets/${pet.id}`]);
    },
    description: {
      operationId: 'createPet',
      summary: 'Add an animal',
      requestBody: { required: true, content: { 'application/json': { schema: ref('NewPet') } } },
      responses: {
        201: success('Pet', 'The animal, with its id', { Location: header('The path of the animal') }),
        ...failures('invalid_body', 'body_too_large', 'unsupported_media_type', ...EVERYWHERE),
      },
    },
  };
}
