import { expect } from 'chai';
import type { SqliteDatabase } from '../../../src/adapters/sqlite/sqlite-database.js';
import type { SqlitePetCatalogue } from '../../../src/adapters/sqlite/sqlite-pet-catalogue.js';
import { INT64_MAX, INT64_MIN } from '../../../src/domain/int64.js';
import type { PetCatalogue, PetRecord } from '../../../src/domain/pet-catalogue.js';
import { verifyPetCatalogueContract } from '../../contracts/pet-catalogue-contract.js';
import { itHeedsSignals } from '../../support/it-heeds-signals.js';
import { rejectionOf } from '../../support/rejection-of.js';
import {
  catalogueOn,
  describeWithSqlite,
  newDatabaseFile,
  openUntilEnd,
  withRowsAsObjects,
} from '../../support/sqlite.js';

const REX = { name: 'Rex', categoryId: 7n, status: 'sold' } as const;

describeWithSqlite('SqlitePetCatalogue', () => {
  let file: string;
  let database: SqliteDatabase;

  async function openCatalogue(): Promise<PetCatalogue> {
    database = await openUntilEnd(file);
    return catalogueOn(database);
  }

  function verifyContract(): void {
    verifyPetCatalogueContract({
      createCatalogue: async () => {
        file = newDatabaseFile();
        return openCatalogue();
      },
      reopen: async () => {
        await database.close();
        return openCatalogue();
      },
      openAnother: async () => catalogueOn(await openUntilEnd(file)),
      addOnce: true,
      restore: true,
    });
  }

  verifyContract();

  itHeedsSignals(catalogueOn);

  describe('with the rows of Node 22.13 to 22.15, which are objects', () => {
    withRowsAsObjects();
    verifyContract();
  });

  it('finds the animals of a status, and the one of an idempotency key, by an index', async () => {
    const planned = await openUntilEnd();
    const planOf = (sql: string): string =>
      planned
        .prepare(`EXPLAIN QUERY PLAN SELECT * FROM pets WHERE ${sql}`)
        .all()
        .flatMap((row) => Object.values(row))
        .join();
    expect(planOf(`status = 'sold' AND id > 1 ORDER BY id`)).to.include('petsByStatus').and.not.include('TEMP B-TREE');
    expect(planOf(`digest = x'00' AND id > 0`)).to.include('petsByDigest');
  });

  it('never assigns the id of an animal that was deleted by hand', async () => {
    const emptied = await openUntilEnd();
    const catalogue = await catalogueOn(emptied);
    const rex = await catalogue.add(REX);
    emptied.prepare('DELETE FROM pets').run();
    expect((await catalogue.add(REX)).id).to.equal(rex.id + 1n);
  });

  it('says that the ids are used up once the greatest is taken', async () => {
    file = newDatabaseFile();
    const catalogue = await catalogueOn(await openUntilEnd(file));
    await catalogue.restore([{ pet: { id: INT64_MAX, ...REX } }]);
    const rejections = [catalogue.add(REX), catalogue.addOnce(REX, 'order 1')].map(rejectionOf);
    for (const error of await Promise.all(rejections)) {
      expect(error).to.have.property(
        'message',
        `the SQLite file ${file} cannot take another animal: the ids are used up`,
      );
    }
  });
});

describeWithSqlite('SqlitePetCatalogue, on rows of other programs,', () => {
  let database: SqliteDatabase;
  let catalogue: SqlitePetCatalogue;

  beforeEach(async () => {
    database = await openUntilEnd();
    catalogue = await catalogueOn(database);
  });

  function insert(id: bigint, name: string): void {
    database.prepare(`INSERT INTO pets (id, name, categoryId, status) VALUES (?, ?, 7, 'sold')`).run(id, name);
  }

  async function recordsOf(after?: bigint): Promise<readonly PetRecord[]> {
    const records: PetRecord[] = [];
    for await (const record of catalogue.records(after)) records.push(record);
    return records;
  }

  it('sees no animal in a row whose id is less than 1', async () => {
    for (const id of [INT64_MIN, -5n, 0n]) insert(id, 'Tom');
    const rex = await catalogue.add(REX);
    for (const query of [{}, { after: 0n }, { status: 'sold' }, { status: 'sold', after: 0n }] as const) {
      expect((await catalogue.list({ limit: 100, ...query })).pets).to.deep.equal([rex]);
    }
    for (const id of [INT64_MIN, -5n, 0n]) expect(await catalogue.find(id)).to.equal(undefined);
    for (const after of [undefined, 0n]) expect(await recordsOf(after)).to.deep.equal([{ pet: rex }]);
  });

  for (const name of ['', 'x'.repeat(1025)]) {
    it(`rejects each call that meets an animal named ${JSON.stringify(name.slice(0, 2))}, and names its id`, async () => {
      insert(3n, name);
      const calls = {
        list: catalogue.list({ limit: 1 }),
        find: catalogue.find(3n),
        records: recordsOf(),
        restore: catalogue.restore([{ pet: { id: 3n, ...REX } }]),
      };
      for (const [method, call] of Object.entries(calls)) {
        expect(await rejectionOf(call), method)
          .to.have.property('message')
          .that.matches(/^the SQLite file \S+ has an animal that breaks a rule: id 3, name must be /);
      }
      expect(await catalogue.list({ limit: 1, after: 3n })).to.deep.equal({ pets: [] });
    });
  }

  it('does not replay a creation with a row that is no animal', async () => {
    await catalogue.addOnce(REX, 'order 1');
    database.prepare('UPDATE pets SET id = -5').run();
    expect(await rejectionOf(catalogue.addOnce(REX, 'order 1')))
      .to.have.property('message')
      .that.includes('no animal');
  });
});
