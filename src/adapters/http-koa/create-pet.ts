import type { AnimalStore } from '../../application/animal-store.js';
import { jsonAnswer, type Operation } from './answer.js';
import { parseJson, readJsonText } from './json-body.js';
import { compileNewPetCheck, petJson } from './pet-json.js';
import { clientPath } from './request.js';

/** `POST /pets`: adds an animal and tells where it is. */
export function createPet(store: AnimalStore, petsPath: string, bodyLimit: number): Operation {
  const checkNewPet = compileNewPetCheck();
  return async (ctx) => {
    const text = await readJsonText(ctx.req, bodyLimit);
    const pet = await store.createPet(checkNewPet(parseJson(text)));
    return jsonAnswer(201, petJson(pet), { Location: clientPath(ctx, `${petsPath}/${pet.id}`) });
  };
}
