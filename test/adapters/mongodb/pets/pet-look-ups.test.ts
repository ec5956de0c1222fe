import { expect } from 'chai';
import { MongoPetCatalogue } from '../../../../src/adapters/mongodb/pets/mongo-pet-catalogue.js';
import { MalformedDocumentError } from '../../../../src/adapters/mongodb/pets/pet-document.js';
import type { Pet } from '../../../../src/domain/pet.js';
import { rejectionOf } from '../../../support/rejection-of.js';
import { useMongodb } from '../../../support/use-mongodb.js';
import { commandsOf, useWatchedDatabase } from '../commands-of.js';
import { PATIENT } from '../../../support/patience.js';

const REX = { name: 'Rex', categoryId: 7n, status: 'sold' } as const;

describe('look-ups of animals in MongoDB that begin in the same moment', () => {
  const mongodb = useMongodb();
  const { client, db, untilIdle } = useWatchedDatabase(mongodb);
  let catalogue: MongoPetCatalogue;
  let pets: Pet[];

  beforeEach(async () => {
    catalogue = new MongoPetCatalogue(db(), PATIENT);
    pets = await Promise.all(Array.from({ length: 250 }, async () => catalogue.add(REX)));
    await untilIdle();
  });

  const findAll = async (ids: readonly bigint[]): Promise<(Pet | undefined)[]> =>
    Promise.all(ids.map(async (id) => catalogue.find(id)));

  it('share one command, and each gets its own animal', async () => {
    const some = [...pets.slice(0, 30).reverse(), ...pets.slice(5, 9)];
    let found: unknown;
    const sent = await commandsOf(client(), async () => (found = await findAll(some.map(({ id }) => id))));
    expect(found).to.deep.equal(some);
    expect(sent.map(({ name }) => name)).to.deep.equal(['find']);
  });

  it('share a command with a hundred at the most', async () => {
    let found: unknown;
    const sent = await commandsOf(client(), async () => (found = await findAll(pets.map(({ id }) => id))));
    expect(found).to.deep.equal(pets);
    expect(sent).to.have.length(3);
  });

  it('find those that are there if others are not', async () => {
    const [first, second] = pets as [Pet, Pet];
    expect(await findAll([first.id, 10_000n, -1n, second.id])).to.deep.equal([first, undefined, undefined, second]);
  });

  it('find documents of other programs', async () => {
    await db()
      .collection<{ _id: bigint }>('pets')
      .insertOne({ name: 'Tom', _id: 999n, categoryId: 1n, owner: 'Ann' } as { _id: bigint });
    const [first] = pets as [Pet];
    const tom = { id: 999n, name: 'Tom', categoryId: 1n };
    expect(await findAll([first.id, 999n])).to.deep.equal([first, tom]);
  });

  it('fail alone if their document is malformed', async () => {
    await db()
      .collection<{ _id: bigint }>('pets')
      .insertOne({ _id: 999n, name: 3 } as { _id: bigint });
    const [first] = pets as [Pet];
    const [found, error] = await Promise.all([catalogue.find(first.id), rejectionOf(catalogue.find(999n))]);
    expect(found).to.deep.equal(first);
    expect(error).to.be.instanceOf(MalformedDocumentError);
  });
});
