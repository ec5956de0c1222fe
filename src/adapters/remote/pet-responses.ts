import { isAnimalStoreError } from '../../domain/errors.js';
import type { PetPage, PetQuery } from '../../domain/pet-catalogue.js';
import { isPetId, isSamePet, makeNewPet, makePet, type NewPet, type NewPetInput, type Pet } from '../../domain/pet.js';
import { JsonError, parseJson } from '../../lossless-json/parse-json.js';
import { RemoteStoreError } from './remote-store-error.js';
import type { RemoteResponse } from './send-request.js';

const NEXT_LINK = /;\s*rel\s*=\s*"?next\b/i;

export function createdPet(response: RemoteResponse, sent: NewPet): Pet {
  const pet = petOf(response, parsed(response), 'the animal');
  if (!isSamePet(pet, sent)) throw new RemoteStoreError(response, 'the animal is not the one that was sent');
  return pet;
}

export function petPage(response: RemoteResponse, { limit, status, after }: PetQuery): PetPage {
  const refuse = (reason: string): never => {
    throw new RemoteStoreError(response, reason);
  };
  const value = parsed(response);
  if (!Array.isArray(value)) return refuse('its body is not an array');
  if (value.length > limit) refuse(`it has more animals than requested: ${value.length}`);
  let last = after;
  const pets = value.map((element: unknown, i) => {
    const pet = petOf(response, element, `animal ${i + 1}`);
    if (last !== undefined && pet.id <= last) refuse(`the id of animal ${i + 1} is not in order`);
    if (status !== undefined && pet.status !== status) refuse(`animal ${i + 1} has another status`);
    last = pet.id;
    return pet;
  });
  if (!NEXT_LINK.test(response.headers.get('link') ?? '')) return { pets };
  const next = pets.at(-1)?.id ?? refuse('it links to a next page, but has no animals');
  return { pets, next };
}

function parsed(response: RemoteResponse): unknown {
  try {
    return parseJson(response.text);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new RemoteStoreError(response, `its body ${error.message}`);
  }
}

function petOf(response: RemoteResponse, value: unknown, what: string): Pet {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new RemoteStoreError(response, `${what} is not an object`);
  }
  const { id } = value as { readonly id?: unknown };
  if (!isPetId(id)) throw new RemoteStoreError(response, `the id of ${what} is not a positive int64`);
  try {
    return makePet(id, makeNewPet(value as NewPetInput));
  } catch (error) {
    if (!isAnimalStoreError(error)) throw error;
    throw new RemoteStoreError(response, `${what} breaks a rule: ${error.message}`);
  }
}
