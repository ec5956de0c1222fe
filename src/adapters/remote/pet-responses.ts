import { isAnimalStoreError } from '../../domain/errors.js';
import type { PetPage, PetQuery } from '../../domain/pet-catalogue.js';
import { isSamePet, makeNewPet, makePet, type NewPet, type NewPetInput, type Pet } from '../../domain/pet.js';
import { JsonError, parseJson } from '../../json/parse-json.js';
import { RemoteStoreError } from './remote-store-error.js';
import type { RemoteResponse } from './send-request.js';

/** A link to the next page in a `Link` header field. */
const NEXT_LINK = /;\s*rel\s*=\s*"?next\b/i;

/** The response does not conform to the interface. The message continues a sentence that begins with the status. */
class ResponseError extends Error {}

/**
 * The animal that the service created.
 *
 * @throws RemoteStoreError if the response contains no animal, or not the one that was sent.
 */
export function createdPet(response: RemoteResponse, sent: NewPet): Pet {
  return read(response, (value) => {
    const pet = petOf(value, 'the animal');
    if (!isSamePet(pet, sent)) throw new ResponseError('the animal is not the one that was sent');
    return pet;
  });
}

/**
 * The page of animals in a response.
 *
 * @throws RemoteStoreError if the response is not a page, or not the page that the query asks for.
 */
export function petPage(response: RemoteResponse, { limit, status, after }: PetQuery): PetPage {
  return read(response, (value) => {
    if (!Array.isArray(value)) throw new ResponseError('its body is not an array');
    if (value.length > limit) throw new ResponseError(`it has more animals than requested: ${value.length}`);
    let last = after;
    const pets = value.map((element: unknown, i) => {
      const pet = petOf(element, `animal ${i + 1}`);
      if (last !== undefined && pet.id <= last) throw new ResponseError(`the id of animal ${i + 1} is not in order`);
      if (status !== undefined && pet.status !== status) throw new ResponseError(`animal ${i + 1} has another status`);
      last = pet.id;
      return pet;
    });
    if (!NEXT_LINK.test(response.headers.get('link') ?? '')) return { pets };
    const next = pets.at(-1)?.id;
    if (next === undefined) throw new ResponseError('it links to a next page, but has no animals');
    return { pets, next };
  });
}

/** Parses the body of a response, and reads it. */
function read<T>(response: RemoteResponse, readValue: (value: unknown) => T): T {
  try {
    return readValue(parseJson(response.text));
  } catch (error) {
    if (error instanceof JsonError) throw new RemoteStoreError(response, `its body ${error.message}`);
    if (error instanceof ResponseError) throw new RemoteStoreError(response, error.message);
    throw error;
  }
}

/** Reads an animal from a parsed JSON value. It must obey the rules of the domain, and have a positive id. */
function petOf(value: unknown, what: string): Pet {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ResponseError(`${what} is not an object`);
  const members = value as Partial<Record<keyof Pet, unknown>>;
  const { id } = members;
  if (typeof id !== 'bigint' || id < 1n) throw new ResponseError(`the id of ${what} is not a positive int64`);
  try {
    return makePet(id, makeNewPet(members as NewPetInput));
  } catch (error) {
    if (!isAnimalStoreError(error)) throw error;
    throw new ResponseError(`${what} breaks a rule: ${error.message}`);
  }
}
