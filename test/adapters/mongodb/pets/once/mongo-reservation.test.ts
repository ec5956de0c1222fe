import { expect } from 'chai';
import { Binary } from 'mongodb';
import { hash } from 'node:crypto';
import { createMongoClient } from '../../../../../src/adapters/mongodb/client.js';
import { MongoPetCatalogue } from '../../../../../src/adapters/mongodb/pets/mongo-pet-catalogue.js';
import type { Pet } from '../../../../../src/domain/pet.js';
import { endWithTest } from '../../../../support/cleanup.js';
import { PATIENT, PATIENT_MS } from '../../../../support/patience.js';
import { startTcpProxy } from '../../../../support/tcp-proxy.js';
import { throughProxy, useMongodb } from '../../../../support/use-mongodb.js';
import { commandsOf, useWatchedDatabase, type SentCommand } from '../../commands-of.js';

const REX = { name: 'Rex', categoryId: 7n, status: 'sold' } as const;
const KEY = 'once';
const DIGEST = hash('sha256', KEY, 'buffer');
/** What marks the animal of the key. */
const MARK = new Binary(DIGEST);
/** The id that another call has reserved, which is none of the first that are given. */
const RESERVED = 500n;

describe('a creation in MongoDB whose key another call has reserved', () => {
  const mongodb = useMongodb();
  const { client, db } = useWatchedDatabase(mongodb);
  let catalogue: MongoPetCatalogue;

  beforeEach(async () => {
    catalogue = new MongoPetCatalogue(db(), PATIENT);
    await catalogue.add({ name: 'Tom', categoryId: 7n });
  });

  async function reserve(at: Date): Promise<void> {
    await creations().insertOne({ _id: new Binary(DIGEST), pet: { _id: RESERVED, ...REX }, at });
  }

  const creations = () => db().collection<{ _id: Binary; pet: object; at: Date }>('creations', { useBigInt64: true });

  /** The updates among some commands, all of which a deadline must bound. */
  function updatesIn(sent: readonly SentCommand[]): unknown[] {
    for (const { name, command } of sent) expect(command['maxTimeMS'], name).to.be.within(1, PATIENT_MS);
    const updates = sent.filter(({ name }) => name === 'update');
    for (const { command } of updates) expect(command['writeConcern']).to.include({ w: 'majority', j: true });
    return updates.flatMap(({ command }) => command['updates'] as { readonly q: unknown }[]).map(({ q }) => q);
  }

  it('stores the reserved animal, and lets the reservation live on if it still has that id', async () => {
    await reserve(new Date(0));
    const pet = { id: RESERVED, ...REX };
    const sent = await commandsOf(client(), async () =>
      expect(await catalogue.addOnce(REX, KEY)).to.deep.equal({ pet, replayed: true }),
    );
    expect(updatesIn(sent)).to.deep.equal([{ _id: new Binary(DIGEST), 'pet._id': RESERVED }]);
    expect(await catalogue.find(RESERVED)).to.deep.equal(pet);
    expect(Number((await creations().findOne())?.at)).to.be.within(Date.now() - 60_000, Date.now());
  });

  it('does not let the reservation of a machine whose clock is ahead live shorter', async () => {
    const ahead = new Date(Date.now() + 600_000);
    await reserve(ahead);
    await catalogue.addOnce(REX, KEY);
    expect((await creations().findOne())?.at).to.deep.equal(ahead);
  });

  it('reserves its own animal if the reservation expires before it has been renewed', async function () {
    await reserve(new Date());
    const proxy = await startTcpProxy(mongodb.localPort(this));
    let expired: Promise<unknown> | undefined;
    proxy.judge((chunk) => (chunk.includes('$max') ? { until: (expired ??= creations().deleteMany({})) } : 'pass'));
    const behind = createMongoClient(throughProxy(mongodb.server().url, proxy, db().databaseName), PATIENT);
    endWithTest(async () => behind.close());
    const { pet } = await new MongoPetCatalogue(behind.db(), PATIENT).addOnce(REX, KEY);
    expect(expired).not.to.equal(undefined);
    expect(await catalogue.addOnce(REX, KEY)).to.deep.equal({ pet, replayed: true });
    expect((await catalogue.list({ limit: 5, status: REX.status })).pets).to.deep.equal([pet]);
  });

  for (const [what, other] of Object.entries({
    'no mark': {},
    'the mark of another key': { once: new Binary(Buffer.alloc(32)) },
    'another name': { once: MARK, name: 'Tom' },
    'another category': { once: MARK, categoryId: 8n },
    'another status': { once: MARK, status: 'pending' },
  })) {
    it(`leaves the id to an animal with ${what}`, async () => {
      await reserve(new Date());
      await db()
        .collection<{ _id: bigint }>('pets')
        .insertOne({ _id: RESERVED, ...REX, ...other });
      const stranger = await catalogue.find(RESERVED);
      let pet: Pet | undefined;
      const sent = await commandsOf(client(), async () => ({ pet } = await catalogue.addOnce(REX, KEY)));
      // The reservation moves if it still has that id; then it is renewed with the new one.
      const id = { _id: new Binary(DIGEST) };
      expect(updatesIn(sent)).to.deep.equal([
        { ...id, 'pet._id': RESERVED },
        { ...id, 'pet._id': pet?.id },
      ]);
      expect(pet).to.deep.include(REX).and.not.include({ id: RESERVED });
      expect(await catalogue.find(pet?.id ?? RESERVED)).to.deep.equal(pet);
      expect(await catalogue.find(RESERVED)).to.deep.equal(stranger);
      expect(await catalogue.addOnce(REX, KEY)).to.deep.equal({ pet, replayed: true });
    });
  }
});
