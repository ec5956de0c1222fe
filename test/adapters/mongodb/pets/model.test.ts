import { expect } from 'chai';
import fc from 'fast-check';
import { InMemoryPetCatalogue } from '../../../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { MongoPetCatalogue } from '../../../../src/adapters/mongodb/pets/mongo-pet-catalogue.js';
import { INT64_MAX, INT64_MIN } from '../../../../src/domain/int64.js';
import type { PetCatalogue, PetQuery } from '../../../../src/domain/pet-catalogue.js';
import { PET_STATUSES } from '../../../../src/domain/pet-status.js';
import { makeNewPet, type NewPet, type Pet } from '../../../../src/domain/pet.js';
import { useMongodb } from '../../../support/use-mongodb.js';
import { anyText } from '../../../support/any-text.js';

/** All animals ever added, by ascending id: what each catalogue must agree with. */
type Model = Pet[];
type Command = fc.AsyncCommand<Model, PetCatalogue[]>;

function add(newPet: NewPet): Command {
  return {
    check: () => true,
    run: async (model, catalogues) => {
      const [pet, ...others] = await Promise.all(catalogues.map(async (catalogue) => catalogue.add(newPet)));
      expect(pet).to.deep.equal({ id: BigInt(model.length + 1), ...newPet });
      for (const other of others) expect(other).to.deep.equal(pet);
      model.push(pet as Pet);
    },
    toString: () => `add ${fc.stringify(newPet)}`,
  };
}

function list(query: PetQuery): Command {
  return {
    check: () => true,
    run: async (model, catalogues) => {
      const { limit, status, after = 0n } = query;
      const matching = model.filter((pet) => pet.id > after && (status === undefined || pet.status === status));
      const pets = matching.slice(0, limit);
      const expected = matching.length > limit ? { pets, next: pets.at(-1)?.id } : { pets };
      for (const catalogue of catalogues) expect(await catalogue.list(query)).to.deep.equal(expected);
    },
    toString: () => `list ${fc.stringify(query)}`,
  };
}

function find(id: bigint): Command {
  return {
    check: () => true,
    run: async (model, catalogues) => {
      const expected = model.find((pet) => pet.id === id);
      for (const catalogue of catalogues) expect(await catalogue.find(id)).to.deep.equal(expected);
    },
    toString: () => `find ${id}`,
  };
}

const int64 = fc.oneof(fc.bigInt(INT64_MIN, INT64_MAX), fc.constantFrom(INT64_MIN, -(2n ** 53n) - 1n, 2n ** 31n));
const someId = fc.oneof({ weight: 4, arbitrary: fc.bigInt(-1n, 25n) }, int64);
const status = fc.constantFrom(...PET_STATUSES);
const name = anyText({ minLength: 1, maxLength: 40 }).filter(
  (text) => /\P{White_Space}/u.test(text) && !text.includes('\0') && text.isWellFormed(),
);

const commands = fc.commands(
  [
    fc
      .record({ name, categoryId: int64, status: fc.option(status, { nil: undefined }) })
      .map((input) => add(makeNewPet(input))),
    fc
      .record({ limit: fc.integer({ min: 1, max: 8 }), status, after: someId }, { requiredKeys: ['limit'] })
      .map((query) => list(query)),
    someId.map((id) => find(id)),
  ],
  { maxCommands: 40, size: 'max' },
);

describe('MongoPetCatalogue beside InMemoryPetCatalogue', () => {
  const mongodb = useMongodb();

  it('answers as it does, and as a plain list does, whatever is asked', async function () {
    this.timeout(60_000);
    await fc.assert(
      fc.asyncProperty(commands, async (sequence) => {
        const inMongodb = new MongoPetCatalogue(mongodb.createDatabase());
        await inMongodb.init();
        await fc.asyncModelRun(() => ({ model: [], real: [inMongodb, new InMemoryPetCatalogue()] }), sequence);
      }),
      { numRuns: 30 },
    );
  });
});
