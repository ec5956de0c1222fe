import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { messageOf, type Fault } from '../../../domain/errors.js';
import { toInt64 } from '../../../domain/int64.js';
import { PET_RULES, type NewPetInput } from '../../../domain/pet.js';
import { HttpError } from '../errors.js';
import { newPetSchema } from './schemas.js';

/**
 * Compiles the check of a parsed body against the schema of `NewPet`, in which every int64 is a `bigint`. The check returns
 * the body, or throws an {@link HttpError} `invalid_body` whose message lists every fault.
 */
export function compileNewPetCheck(): (body: unknown) => NewPetInput {
  const ajv = new Ajv2020({ allErrors: true });
  ajv.addKeyword({ keyword: 'int64', schemaType: 'boolean', validate: (_: boolean, value: unknown) => isInt64(value) });
  const properties = Object.entries(newPetSchema.properties).map(([name, schema]) => [name, ofBigint(schema)]);
  const isNewPet = ajv.compile<NewPetInput>({ ...newPetSchema, properties: Object.fromEntries(properties) as object });
  return (body) => {
    if (isNewPet(body)) return body;
    throw new HttpError('invalid_body', messageOf(faultsOf(isNewPet.errors ?? [])));
  };
}

/** The schema of a member; that of an int64 takes a `bigint` in the range, which the keyword `type` does not know. */
function ofBigint(schema: object): object {
  return 'format' in schema && schema.format === 'int64' ? { int64: true } : schema;
}

function isInt64(value: unknown): boolean {
  return toInt64(value) !== undefined;
}

/** One fault for each member, however many of its rules it breaks. */
function faultsOf(errors: readonly ErrorObject[]): Fault[] {
  const faults = errors.map(faultOf);
  return [...new Map(faults.map((fault) => [fault.member, fault])).values()];
}

function faultOf({ instancePath, keyword, params }: ErrorObject): Fault {
  if (keyword === 'required')
    return { member: (params as { missingProperty: string }).missingProperty, rule: 'is required' };
  const member = instancePath.slice(1);
  return member in PET_RULES
    ? { member, rule: PET_RULES[member as keyof typeof PET_RULES] }
    : { member: 'the body', rule: 'must be a JSON object' };
}
