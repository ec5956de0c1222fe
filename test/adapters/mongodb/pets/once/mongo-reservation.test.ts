import { expect } from 'chai';
import { MongoClient, type Db } from 'mongodb';
import { collectionOptions } from '../../../../../src/adapters/mongodb/collections.js';
import { type OperationLimits, withDeadline } from '../../../../../src/adapters/mongodb/operation.js';
import {
  MongoReservation,
  type ReservationDocument,
} from '../../../../../src/adapters/mongodb/pets/once/mongo-reservation.js';
import type { PetDocument } from '../../../../../src/adapters/mongodb/pets/pet-document.js';
import { makePet } from '../../../../../src/domain/pet.js';
import { rejectionOf } from '../../../../support/rejection-of.js';
import { useMongodb } from '../../../../support/use-mongodb.js';
import { commandsOf, useWatchedDatabase } from '../../commands-of.js';
import { PATIENT_MS } from '../../../../support/patience.js';

const REX = makePet(1n, { name: 'Rex', categoryId: 7n });

function collectionsOf(db: Db) {
  return {
    creations: db.collection<ReservationDocument>('creations', collectionOptions(5000)),
    pets: db.collection<PetDocument>('pets', collectionOptions(5000)),
  };
}

/** Every step of a creation that asks the server for something. */
const STEPS: Readonly<Record<string, (creation: MongoReservation) => Promise<unknown>>> = {
  reserve: async (creation) => creation.reserve(REX),
  reserved: async (creation) => creation.reserved(),
  renew: async (creation) => creation.renew(1n),
  move: async (creation) => creation.move(1n, 2n),
  store: async (creation) => creation.store(REX),
  standing: async (creation) => creation.standing(REX),
};

describe('a creation in MongoDB', () => {
  const mongodb = useMongodb();
  let db: Db;
  let creation: MongoReservation;

  beforeEach(() => {
    db = mongodb.createDatabase();
    creation = creationOf('once');
  });

  function creationOf(once: string): MongoReservation {
    const { signal } = new AbortController();
    return new MongoReservation(collectionsOf(db), once, {
      signal,
      startCall: () => ({ maxTimeMS: PATIENT_MS, signal }),
    });
  }

  /** Sets when the reservation was made, and gives what a step makes of that. */
  async function timeAfter(at: Date, step: () => Promise<unknown>): Promise<Date | undefined> {
    const { creations } = collectionsOf(db);
    await creations.updateOne({}, { $set: { at } });
    await step();
    return (await creations.findOne())?.at;
  }

  it('is reserved once, with its animal', async () => {
    expect(await creation.reserved()).to.equal(undefined);
    expect(await creation.reserve(REX)).to.equal(true);
    expect(await creation.reserve({ ...REX, id: 2n })).to.equal(false);
    expect(await creation.reserved()).to.deep.equal(REX);
    expect(await creationOf('other').reserved()).to.equal(undefined);
  });

  it('starts its lifetime again when it is renewed, if it has the id', async () => {
    await creation.reserve(REX);
    const renewed = await timeAfter(new Date(0), async () => expect(await creation.renew(1n)).to.equal(true));
    expect(Number(renewed)).to.be.within(Date.now() - 60_000, Date.now());
    const other = await timeAfter(new Date(0), async () => expect(await creation.renew(2n)).to.equal(false));
    expect(other).to.deep.equal(new Date(0));
  });

  it('does not live shorter when it is renewed by a machine whose clock is behind', async () => {
    await creation.reserve(REX);
    const ahead = new Date(Date.now() + 600_000);
    expect(await timeAfter(ahead, async () => creation.renew(1n))).to.deep.equal(ahead);
  });

  it('moves to another id from the one that it has', async () => {
    await creation.reserve(REX);
    await creation.move(2n, 3n);
    expect(await creation.reserved()).to.deep.equal(REX);
    await creation.move(1n, 3n);
    expect(await creation.reserved()).to.deep.equal({ ...REX, id: 3n });
  });

  it('stores its animal if the id is free', async () => {
    expect(await creation.store(REX)).to.equal(true);
    expect(await creation.store(REX)).to.equal(false);
  });

  it('rejects if the animal cannot be stored under any id', async () => {
    const client = new MongoClient(mongodb.createDatabaseUrl());
    await client.connect();
    db = client.db();
    creation = creationOf('once');
    await client.close();
    expect(await rejectionOf(creation.store(REX))).to.be.instanceOf(Error);
  });

  it('finds its own animal by the mark and by all members', async () => {
    const pet = makePet(1n, { name: 'Rex', categoryId: 7n, status: 'sold' });
    expect(await creation.standing(pet)).to.equal('none');
    await creation.store(pet);
    expect(await creation.standing(pet)).to.equal('ours');
    expect(await creationOf('other').standing(pet)).to.equal('foreign');
    for (const other of [{ name: 'Tom' }, { categoryId: 8n }, { status: 'pending' as const }]) {
      expect(await creation.standing({ ...pet, ...other }), Object.keys(other).join()).to.equal('foreign');
    }
  });

  it('treats an animal without a mark as another animal', async () => {
    await collectionsOf(db).pets.insertOne({ _id: 1n, name: 'Rex', categoryId: 7n });
    expect(await creation.standing(REX)).to.equal('foreign');
  });
});

describe('a creation in MongoDB whose deadline has passed', () => {
  const mongodb = useMongodb();
  const { client, db } = useWatchedDatabase(mongodb);

  for (const [name, step] of Object.entries(STEPS)) {
    it(`sends nothing more: ${name}`, async () => {
      const creation = new MongoReservation(collectionsOf(db()), 'once', await passedLimits());
      let rejection: unknown;
      const sent = await commandsOf(client(), async () => (rejection = await rejectionOf(step(creation))));
      expect(rejection).to.have.property('code', 'store_unavailable');
      expect(sent).to.deep.equal([]);
    });
  }
});

/** Resolves to the limits of an operation whose deadline has passed. */
async function passedLimits(): Promise<OperationLimits> {
  return new Promise((resolve) => {
    const operation = withDeadline(1, async (limits) => {
      limits.signal.addEventListener('abort', () => resolve(limits));
      return new Promise(() => undefined);
    });
    operation.catch(() => undefined);
  });
}
