import { messageOfFaults, type Fault } from '../../../domain/errors.js';
import { faultsOfNewPet, type NewPetInput } from '../../../domain/pet.js';
import { JsonError, parseJson } from '../../../lossless-json/parse-json.js';
import { HttpError } from '../pipeline/errors.js';
import { isShapedAsNewPet } from './compiled/new-pet.js';

/** Refuses malformed UTF-8, and drops a byte order mark (RFC 8259, section 8.1). */
const UTF8 = new TextDecoder('utf-8', { fatal: true });

const MISSING = new HttpError('invalid_body', 'the body is missing: it must be a JSON object');
const NOT_UTF8 = new HttpError('invalid_body', 'the body is not valid UTF-8');
const NO_OBJECT = new HttpError('invalid_body', 'the body must be a JSON object');

/** The domain checks the values when the animal is created. For another shape, the message lists every fault, also those of values. */
export function parseNewPetBody(bytes: Uint8Array): NewPetInput {
  if (bytes.length === 0) throw MISSING;
  const body = parsed(decoded(bytes));
  if (isShapedAsNewPet(body)) return body as NewPetInput;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw NO_OBJECT;
  throw new HttpError('invalid_body', messageOfFaults(faultsOf(body)));
}

function decoded(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    throw NOT_UTF8;
  }
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new HttpError('invalid_body', `the body ${error.message}`);
  }
}

function faultsOf(body: object): readonly Fault[] {
  const faults = faultsOfNewPet(body as NewPetInput);
  return faults.map(({ member, rule }) => ({ member, rule: member in body ? rule : 'is required' }));
}
