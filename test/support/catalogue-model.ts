import { expect } from 'chai';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { INT64_MAX, INT64_MIN } from '../../src/domain/int64.js';
import type { PetCatalogue, PetQuery } from '../../src/domain/pet-catalogue.js';
import { PET_STATUSES } from '../../src/domain/pet-status.js';
import { makeNewPet, type NewPet, type Pet } from '../../src/domain/pet.js';
import { anyText } from './any-text.js';

/** What the catalogue must agree with. */
interface Model {
  /** All animals ever added, by ascending id. */
  readonly pets: Pet[];
  /** Those with an idempotency key. */
  readonly creations: Map<string, Pet>;
}
type Catalogue = PetCatalogue & Required<Pick<PetCatalogue, 'addOnce'>>;
type Command = fc.AsyncCommand<Model, Catalogue>;

function command(name: string, run: (model: Model, catalogue: Catalogue) => Promise<void>): Command {
  return { check: () => true, run, toString: () => name };
}

/** Notes an animal that was stored now: it is the one that was sent, and its id is greater than all before. */
function addToModel({ pets }: Model, newPet: NewPet, pet: Pet): void {
  expect(pet).to.deep.equal({ id: pet.id, ...newPet });
  expect(pet.id > (pets.at(-1)?.id ?? 0n)).to.equal(true);
  pets.push(pet);
}

const add = (newPet: NewPet): Command =>
  command(`add ${fc.stringify(newPet)}`, async (model, catalogue) => {
    addToModel(model, newPet, await catalogue.add(newPet));
  });

const addOnce = (newPet: NewPet, key: string): Command =>
  command(`addOnce ${fc.stringify(newPet)} ${fc.stringify(key)}`, async (model, catalogue) => {
    const first = model.creations.get(key);
    const outcome = await catalogue.addOnce(newPet, key).catch((error: unknown) => error as { readonly code: string });
    if (first === undefined && 'pet' in outcome) {
      expect(outcome.replayed).to.equal(false);
      addToModel(model, newPet, outcome.pet);
      model.creations.set(key, outcome.pet);
    } else if (isDeepStrictEqual(first, { id: first?.id, ...newPet })) {
      expect(outcome).to.deep.equal({ pet: first, replayed: true });
    } else expect(outcome).to.have.property('code', 'idempotency_key_reused');
  });

const list = (query: PetQuery): Command =>
  command(`list ${fc.stringify(query)}`, async (model, catalogue) => {
    const { limit, status, after = 0n } = query;
    const matching = model.pets.filter((pet) => pet.id > after && (status === undefined || pet.status === status));
    const pets = matching.slice(0, limit);
    const expected = matching.length > limit ? { pets, next: pets.at(-1)?.id } : { pets };
    expect(await catalogue.list(query)).to.deep.equal(expected);
  });

const find = (id: bigint): Command =>
  command(`find ${id}`, async (model, catalogue) => {
    expect(await catalogue.find(id)).to.deep.equal(model.pets.find((pet) => pet.id === id));
  });

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

const COMMANDS = [
  newPet.map(add),
  fc.tuple(fc.oneof(fewPets, newPet), fc.constantFrom('once', 'Once', 'twice')).map(([pet, key]) => addOnce(pet, key)),
  fc
    .record(
      { limit: fc.integer({ min: 1, max: 8 }), status, after: someId.map((id) => (id < 0n ? 0n : id)) },
      { requiredKeys: ['limit'] },
    )
    .map(list),
  someId.map(find),
];

/**
 * Declares a test that drives a catalogue and a plain list of animals with the same random calls, one after another.
 *
 * @param createCatalogue Creates an empty catalogue.
 */
export function itAnswersAsAPlainList(createCatalogue: () => Promise<Catalogue>): void {
  it('answers random calls as a plain list of animals does', async () => {
    await fc.assert(
      fc.asyncProperty(fc.commands(COMMANDS, { maxCommands: 40, size: 'max' }), async (sequence) => {
        const real = await createCatalogue();
        await fc.asyncModelRun(() => ({ model: { pets: [], creations: new Map() }, real }), sequence);
      }),
      { numRuns: 40 },
    );
  });
}
