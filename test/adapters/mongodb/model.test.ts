import { expect } from 'chai';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { InMemoryPetCatalogue } from '../../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { MongoPetCatalogue } from '../../../src/adapters/mongodb/mongo-pet-catalogue.js';
import { prepareDatabase } from '../../../src/adapters/mongodb/preparation.js';
import { INT64_MAX, INT64_MIN } from '../../../src/domain/int64.js';
import type { PetCreation } from '../../../src/domain/idempotency-key.js';
import type { PetCatalogue, PetQuery } from '../../../src/domain/pet-catalogue.js';
import { PET_STATUSES } from '../../../src/domain/pet-status.js';
import { makeNewPet, type NewPet, type Pet } from '../../../src/domain/pet.js';
import { useMongodb } from '../../support/use-mongodb.js';
import { anyText } from '../../support/any-text.js';
import { PATIENT } from '../../support/patience.js';

/** What each catalogue must agree with. */
interface Model {
  /** All animals ever added, by ascending id. */
  readonly pets: Pet[];
  /** The animals that were stored once, by their texts. */
  readonly creations: Map<string, Pet>;
}
type Command = fc.AsyncCommand<Model, PetCatalogue[]>;

/** Notes an animal that was stored now: it is the one that was sent, and its id is greater than all before. */
function addToModel({ pets }: Model, newPet: NewPet, pet: Pet): void {
  expect(pet).to.deep.equal({ id: pet.id, ...newPet });
  expect(pet.id > (pets.at(-1)?.id ?? 0n)).to.equal(true);
  pets.push(pet);
}

function add(newPet: NewPet): Command {
  return {
    check: () => true,
    run: async (model, catalogues) => {
      const [pet, ...others] = await Promise.all(catalogues.map(async (catalogue) => catalogue.add(newPet)));
      addToModel(model, newPet, pet as Pet);
      for (const other of others) expect(other).to.deep.equal(pet);
    },
    toString: () => `add ${fc.stringify(newPet)}`,
  };
}

function addOnce(newPet: NewPet, once: string): Command {
  return {
    check: () => true,
    run: async (model, catalogues) => {
      const first = model.creations.get(once);
      const same = first !== undefined && isDeepStrictEqual(first, { id: first.id, ...newPet });
      const outcomes = await Promise.all(
        catalogues.map(async (catalogue) => catalogue.addOnce?.(newPet, once).catch((error: unknown) => error)),
      );
      for (const outcome of outcomes) {
        if (first !== undefined && !same) expect(outcome).to.have.property('code', 'idempotency_key_reused');
        else {
          const { pet } = outcomes[0] as PetCreation;
          expect(outcome).to.deep.equal({ pet: first ?? pet, replayed: same });
        }
      }
      if (first !== undefined) return;
      const { pet } = outcomes[0] as PetCreation;
      addToModel(model, newPet, pet);
      model.creations.set(once, pet);
    },
    toString: () => `addOnce ${fc.stringify(newPet)} ${fc.stringify(once)}`,
  };
}

function list(query: PetQuery): Command {
  return {
    check: () => true,
    run: async (model, catalogues) => {
      const { limit, status, after = 0n } = query;
      const matching = model.pets.filter((pet) => pet.id > after && (status === undefined || pet.status === status));
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
      const expected = model.pets.find((pet) => pet.id === id);
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

const newPet = fc
  .record({ name, categoryId: int64, status: fc.option(status, { nil: undefined }) })
  .map((input) => makeNewPet(input));
/** Few, so that they meet again. */
const fewPets = fc.constantFrom<NewPet[]>({ name: 'Rex', categoryId: 7n }, { name: 'Tom', categoryId: 7n });
const onces = fc.constantFrom('once', 'Once', 'twice');

const plain = [
  newPet.map((each) => add(each)),
  fc
    .record({ limit: fc.integer({ min: 1, max: 8 }), status, after: someId }, { requiredKeys: ['limit'] })
    .map((query) => list(query)),
  someId.map((id) => find(id)),
];
const once = fc.tuple(fc.oneof(fewPets, newPet), onces).map(([each, text]) => addOnce(each, text));
const MANY = { maxCommands: 40, size: 'max' } as const;

describe('MongoPetCatalogue compared with InMemoryPetCatalogue', () => {
  const mongodb = useMongodb();

  /** Runs many sequences of commands on a catalogue in MongoDB and on others, which give the same ids. */
  async function check(commands: fc.Arbitrary<Command>[], others: () => PetCatalogue[]): Promise<void> {
    await fc.assert(
      fc.asyncProperty(fc.commands(commands, MANY), async (sequence) => {
        const db = mongodb.createDatabase();
        await prepareDatabase(db);
        const inMongodb = new MongoPetCatalogue(db, PATIENT);
        await fc.asyncModelRun(
          () => ({ model: { pets: [], creations: new Map() }, real: [inMongodb, ...others()] }),
          sequence,
        );
      }),
      { numRuns: 30 },
    );
  }

  it('answers as it does, and as a plain list does, for random calls', async function () {
    this.timeout(180_000);
    await check(plain, () => [new InMemoryPetCatalogue()]);
  });

  it('answers as a plain list does, also with animals stored once, whose ids only it knows', async function () {
    this.timeout(180_000);
    await check([once, ...plain], () => []);
  });
});
