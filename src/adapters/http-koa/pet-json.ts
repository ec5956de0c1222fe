import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { toInt64 } from '../../domain/int64.js';
import { PET_RULES, type NewPetInput, type Pet } from '../../domain/pet.js';
import { HttpError } from './errors.js';
import { newPetSchema } from './schemas.js';

/** The JSON text of an animal: its int64 members digit for digit, its status left out where it has none. */
export function petJson({ id, name, categoryId, status }: Pet): string {
  const start = `{"id":${id},"name":${JSON.stringify(name)},"categoryId":${categoryId}`;
  return status === undefined ? `${start}}` : `${start},"status":"${status}"}`;
}

/** The animals that were the first of a list. */
const leaders = new WeakSet<Pet>();
/** The texts of animals that were listed again: an animal never changes, and a store in memory lists the same objects. */
const texts = new WeakMap<Pet, string>();

/** The JSON text of an array of animals. */
export function petsJson(pets: readonly Pet[]): string {
  const [first] = pets;
  const isListedAgain = first !== undefined && leaders.has(first);
  if (first !== undefined) leaders.add(first);
  return `[${pets.map(isListedAgain ? keptPetJson : petJson).join(',')}]`;
}

function keptPetJson(pet: Pet): string {
  const kept = texts.get(pet);
  if (kept !== undefined) return kept;
  const text = petJson(pet);
  texts.set(pet, text);
  return text;
}

/**
 * Compiles the check of a parsed body against the schema of `NewPet`; the returned function throws an `invalid_body`
 * whose message lists every fault.
 */
export function compileNewPetCheck(): (body: unknown) => NewPetInput {
  const ajv = new Ajv2020({ allErrors: true, ownProperties: true });
  ajv.addKeyword({ keyword: 'int64', schemaType: 'boolean', validate: (_: boolean, value: unknown) => isInt64(value) });
  const properties = { ...newPetSchema.properties, categoryId: { int64: true } };
  const isNewPet = ajv.compile<NewPetInput>({ ...newPetSchema, properties });
  return (body) => {
    if (isNewPet(body)) return body;
    throw new HttpError('invalid_body', [...new Set(isNewPet.errors?.map(faultOf))].join('; '));
  };
}

/** The schema's `integer` knows no `bigint`, which is what every int64 of a parsed body is. */
function isInt64(value: unknown): boolean {
  return toInt64(value) !== undefined;
}

function faultOf({ instancePath, keyword, params }: ErrorObject): string {
  if (keyword === 'required') return `${(params as { missingProperty: string }).missingProperty} is required`;
  const member = instancePath.slice(1);
  return member in PET_RULES
    ? `${member} ${PET_RULES[member as keyof typeof PET_RULES]}`
    : 'the body must be a JSON object';
}
