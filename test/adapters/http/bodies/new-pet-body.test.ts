import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import fc from 'fast-check';
import { parseNewPetBody } from '../../../../src/adapters/http/bodies/new-pet-body.js';
import { newPetSchema, petStatusSchema } from '../../../../src/adapters/http/bodies/schemas.js';
import { toInt64 } from '../../../../src/domain/int64.js';
import { makeNewPet } from '../../../../src/domain/pet.js';
import { anyText } from '../../../support/any-text.js';
import { EDGE_NAMES } from '../../../support/edge-names.js';

/** Valid and invalid values for each member of a body, with the edges of the rules. */
const body = fc.record(
  {
    name: fc.oneof(
      anyText({ maxLength: 20 }),
      fc.constantFrom(...EDGE_NAMES, '\ud800', 'a\udc00', '😀'.repeat(1024), '😀'.repeat(1025), 'a'.repeat(1025)),
      fc.constantFrom(null, true, 7n, [], {}),
    ),
    categoryId: fc.oneof(
      fc.bigInt({ min: -(2n ** 65n), max: 2n ** 65n }),
      fc.constantFrom(2n ** 63n, 2n ** 63n - 1n, -(2n ** 63n), -(2n ** 63n) - 1n, '7', null),
    ),
    status: fc.constantFrom('available', 'pending', 'sold', 'Sold', '', null, 7n),
    id: fc.bigInt(),
  },
  { requiredKeys: [] },
);

/** Compiles every rule of the schema that the OpenAPI document shows, but for int64, which is a `bigint` in a parsed body. */
function compileWholeSchema(): (body: unknown) => boolean {
  const ajv = new Ajv2020();
  ajv.addKeyword({ keyword: 'isInt64', validate: (_: unknown, value: unknown) => toInt64(value) !== undefined });
  const properties = Object.entries(newPetSchema.properties).map(([name, schema]) => [
    name,
    'format' in schema ? { isInt64: true } : schema,
  ]);
  const NewPet = { ...newPetSchema, properties: Object.fromEntries(properties) as object };
  ajv.addKeyword('components');
  ajv.addSchema({ components: { schemas: { NewPet, PetStatus: petStatusSchema } } }, 'openapi');
  return ajv.compile({ $ref: 'openapi#/components/schemas/NewPet' });
}

/** The body as JSON, in which each `bigint` is an integer. */
function bytesOf(value: object): Uint8Array {
  const json = JSON.stringify(value, (_, member: unknown) => (typeof member === 'bigint' ? `int ${member}` : member));
  return new TextEncoder().encode(json.replaceAll(/"int (-?[0-9]+)"/g, '$1'));
}

/** Whether no portable pattern can refuse a name that the domain refuses: for a lone surrogate, or white space beyond ASCII. */
function isNameLeftToTheDomain(name: unknown): boolean {
  return typeof name === 'string' && (!name.isWellFormed() || /^\p{White_Space}+$/u.test(name));
}

describe('parseNewPetBody', () => {
  it('accepts, together with the domain, what the schema of the OpenAPI document accepts, but for some names', () => {
    const isValid = compileWholeSchema();
    fc.assert(
      fc.property(body, (value) => {
        const accept = (): unknown => makeNewPet(parseNewPetBody(bytesOf(value)));
        if (isValid(value) && !isNameLeftToTheDomain(value.name)) expect(accept).to.not.throw();
        else expect(accept).to.throw(/./).with.property('code').that.is.oneOf(['invalid_body', 'invalid_pet']);
      }),
      { numRuns: 2000 },
    );
  });
});
