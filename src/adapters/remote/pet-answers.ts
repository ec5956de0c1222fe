import { isAnimalStoreError } from '../../domain/errors.js';
import { parseInt64 } from '../../domain/int64.js';
import type { PetPage, PetQuery } from '../../domain/pet-catalogue.js';
import { isSamePet, makeNewPet, makePet, type NewPet, type NewPetInput, type Pet } from '../../domain/pet.js';
import { JsonError, parseJson } from '../../json/parse-json.js';
import type { RemoteAnswer } from './exchange.js';
import { nextLink } from './link-header.js';
import { RemoteStoreError } from './remote-store-error.js';

/** The answer does not conform to the interface. The message continues a sentence that begins with the status. */
class AnswerError extends Error {}

/**
 * The animal that the service created.
 *
 * @throws RemoteStoreError if the answer contains no animal, or not the one that was sent.
 */
export function createdPet(answer: RemoteAnswer, sent: NewPet): Pet {
  return read(answer, (value) => {
    const pet = petOf(value, 'the animal');
    if (!isSamePet(pet, sent)) throw new AnswerError('the animal is not the one that was sent');
    return pet;
  });
}

/**
 * The page of animals in an answer.
 *
 * @throws RemoteStoreError if the answer is not a page, or not the page that the query asks for.
 */
export function petPage(answer: RemoteAnswer, { limit, status, after }: PetQuery): PetPage {
  return read(answer, (value) => {
    if (!Array.isArray(value)) throw new AnswerError('its body is not an array');
    if (value.length > limit) throw new AnswerError(`it has more animals than requested: ${value.length}`);
    let last = after;
    const pets = value.map((element: unknown, i) => {
      const pet = petOf(element, `animal ${i + 1}`);
      if (last !== undefined && pet.id <= last) throw new AnswerError(`the id of animal ${i + 1} is not in order`);
      if (status !== undefined && pet.status !== status) throw new AnswerError(`animal ${i + 1} has another status`);
      last = pet.id;
      return pet;
    });
    const next = nextOf(answer.headers.get('link'));
    if (next === undefined) return { pets };
    if (next !== pets.at(-1)?.id) throw new AnswerError('the link to the next page does not follow the last animal');
    return { pets, next };
  });
}

/** The `after` in the link to the next page; `undefined` if there is no such link. */
function nextOf(link: string | null): bigint | undefined {
  const target = link === null ? undefined : nextLink(link);
  if (target === undefined) return undefined;
  const after = parseInt64(new URLSearchParams(target.split(/[?#]/)[1]).get('after') ?? '');
  if (after === undefined) throw new AnswerError('the parameter after of the link to the next page is not an int64');
  return after;
}

/** Parses the body of an answer, and reads it. */
function read<T>(answer: RemoteAnswer, readValue: (value: unknown) => T): T {
  try {
    return readValue(parseJson(answer.text));
  } catch (error) {
    if (error instanceof JsonError) throw new RemoteStoreError(answer, `its body ${error.message}`);
    if (error instanceof AnswerError) throw new RemoteStoreError(answer, error.message);
    throw error;
  }
}

/** Reads an animal from a parsed JSON value. It must obey the rules of the domain, and have a positive id. */
function petOf(value: unknown, what: string): Pet {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new AnswerError(`${what} is not an object`);
  const members = value as Partial<Record<keyof Pet, unknown>>;
  const { id } = members;
  if (typeof id !== 'bigint' || id < 1n) throw new AnswerError(`the id of ${what} is not a positive int64`);
  try {
    return makePet(id, makeNewPet(members as NewPetInput));
  } catch (error) {
    if (!isAnimalStoreError(error)) throw error;
    throw new AnswerError(`${what} breaks a rule: ${error.message}`);
  }
}
