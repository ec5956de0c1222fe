import { messageOfFaults, type Fault } from '../../../domain/errors.js';
import { faultsOfNewPet, type NewPetInput } from '../../../domain/pet.js';
import { HttpError } from '../errors.js';
import { isShapedAsNewPet } from './compiled/new-pet.js';

/**
 * Returns a parsed body, in which every int64 is a `bigint`, if it has the shape of `NewPet`: an object with the required
 * members, each of its type. The schema owns these rules. The domain owns the rules for the values, which it checks when the
 * animal is created.
 *
 * @throws HttpError `invalid_body` for any other shape. Its message lists every fault, including those of the values.
 */
export function newPetInput(body: unknown): NewPetInput {
  if (isShapedAsNewPet(body)) return body as NewPetInput;
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  throw new HttpError('invalid_body', isObject ? messageOfFaults(faultsOf(body)) : 'the body must be a JSON object');
}

/** Every fault of a body that does not have the shape of `NewPet`, in the words of the domain. */
function faultsOf(body: object): readonly Fault[] {
  const faults = faultsOfNewPet(body as NewPetInput);
  return faults.map(({ member, rule }) => ({ member, rule: member in body ? rule : 'is required' }));
}
