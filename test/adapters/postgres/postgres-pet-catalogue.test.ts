import { expect } from 'chai';
import {
  openPostgresDatabase,
  PostgresPetCatalogue,
  type PostgresDatabase,
} from '../../../src/adapters/postgres/index.js';
import { INT64_MAX, INT64_MIN } from '../../../src/domain/int64.js';
import type { PetRecord } from '../../../src/domain/pet-catalogue.js';
import { verifyPetCatalogueContract } from '../../contracts/pet-catalogue-contract.js';
import { itAnswersAsAPlainList } from '../../support/catalogue-model.js';
import { endWithTest } from '../../support/cleanup.js';
import { itHeedsSignals } from '../../support/it-heeds-signals.js';
import { PATIENT } from '../../support/patience.js';
import { query } from '../../support/postgres-query.js';
import { usePostgres } from '../../support/postgres.js';
import { rejectionOf } from '../../support/rejection-of.js';

const REX = { name: 'Rex', categoryId: 7n } as const;

describe('PostgresPetCatalogue', () => {
  const postgres = usePostgres();
  let url: string;
  let database: PostgresDatabase;

  async function open(): Promise<PostgresDatabase> {
    const opened = await openPostgresDatabase(url, PATIENT);
    endWithTest(async () => opened.close());
    return opened;
  }

  async function createCatalogue(): Promise<PostgresPetCatalogue> {
    url = await postgres.createUrl();
    database = await open();
    return new PostgresPetCatalogue(database);
  }

  verifyPetCatalogueContract({
    addOnce: true,
    restore: true,
    createCatalogue,
    reopen: async () => {
      await database.close();
      database = await open();
      return new PostgresPetCatalogue(database);
    },
    openAnother: async () => new PostgresPetCatalogue(await open()),
  });

  itHeedsSignals(createCatalogue);

  itAnswersAsAPlainList(createCatalogue);

  it('yields more records than it reads at a time, each once', async () => {
    const catalogue = await createCatalogue();
    const names = Array.from({ length: 1003 }, (_, i) => `pet ${i}`);
    await Promise.all(names.map(async (name) => catalogue.add({ name, categoryId: 7n })));
    const found: string[] = [];
    for await (const { pet } of catalogue.records()) found.push(pet.name);
    expect(found.sort()).to.deep.equal(names.sort());
  });

  it('assigns ids in the order in which animals become visible, over several processes', async () => {
    await createCatalogue();
    const writers = await Promise.all(Array.from({ length: 3 }, async () => new PostgresPetCatalogue(await open())));
    const reader = new PostgresPetCatalogue(await open());
    const progress = { isOver: false };
    const writing = Promise.all(
      writers.map(async (writer) => {
        for (let turn = 0; turn < 20; turn++) {
          await Promise.all(Array.from({ length: 1 + (turn % 7) }, async () => writer.add(REX)));
        }
      }),
    ).finally(() => (progress.isOver = true));
    const seen: bigint[] = [];
    for (let isLast = false; !isLast;) {
      isLast = progress.isOver;
      for (let next = seen.at(-1); ; next = seen.at(-1)) {
        const { pets } = await reader.list({ limit: 100, ...(next !== undefined && { after: next }) });
        seen.push(...pets.map(({ id }) => id));
        if (pets.length === 0) break;
      }
    }
    await writing;
    expect(seen).to.have.length(3 * 77);
  });

  it('finds the animals of a status, the one of a key, and the last one, by an index', async () => {
    await createCatalogue();
    const filled = `INSERT INTO pets SELECT n, 'Rex', 7, 'sold' FROM generate_series(1, 2000) AS n; ANALYZE pets`;
    await query(url, filled);
    const planOf = async (sql: string): Promise<string> => JSON.stringify(await query(url, `EXPLAIN ${sql}`));
    const byStatus = await planOf(`SELECT * FROM pets WHERE status = 'pending' AND id > 1 ORDER BY id LIMIT 20`);
    expect(byStatus).to.contain('pets_by_status').and.not.to.contain('Sort');
    expect(await planOf(`SELECT * FROM pets WHERE digest = ANY ('{\\\\x00}'::bytea[])`)).to.contain('pets_digest_key');
    expect(await planOf('SELECT max(id) FROM pets')).to.contain('pets_pkey');
  });

  it('says that the ids are used up once the greatest is taken', async () => {
    const catalogue = await createCatalogue();
    await catalogue.restore([{ pet: { id: INT64_MAX, ...REX } }]);
    const rejections = [catalogue.add(REX), catalogue.addOnce(REX, 'order 1')].map(rejectionOf);
    for (const error of await Promise.all(rejections)) {
      expect(error).to.have.property('message', 'the ids are used up');
    }
  });

  describe('on rows of other programs', () => {
    let catalogue: PostgresPetCatalogue;

    beforeEach(async () => {
      catalogue = await createCatalogue();
    });

    async function insert(id: bigint, name: string): Promise<void> {
      await query(url, `INSERT INTO pets VALUES (${id}, '${name}', 7, 'sold')`);
    }

    async function recordsOf(after?: bigint): Promise<readonly PetRecord[]> {
      const records: PetRecord[] = [];
      for await (const record of catalogue.records(after)) records.push(record);
      return records;
    }

    it('sees no animal in a row whose id is less than 1', async () => {
      for (const id of [INT64_MIN, -5n, 0n]) await insert(id, 'Tom');
      const rex = await catalogue.add({ ...REX, status: 'sold' });
      for (const options of [{}, { after: 0n }, { status: 'sold' }, { status: 'sold', after: 0n }] as const) {
        expect((await catalogue.list({ limit: 100, ...options })).pets).to.deep.equal([rex]);
      }
      for (const id of [INT64_MIN, -5n, 0n]) expect(await catalogue.find(id)).to.equal(undefined);
      for (const after of [undefined, 0n]) expect(await recordsOf(after)).to.deep.equal([{ pet: rex }]);
    });

    for (const name of ['', 'x'.repeat(1025)]) {
      it(`rejects each call that meets an animal named ${JSON.stringify(name.slice(0, 2))}, and names its id`, async () => {
        await insert(3n, name);
        const rejections = {
          list: rejectionOf(catalogue.list({ limit: 1 })),
          find: rejectionOf(catalogue.find(3n)),
          records: rejectionOf(recordsOf()),
          restore: rejectionOf(catalogue.restore([{ pet: { id: 3n, ...REX } }])),
        };
        for (const [method, rejection] of Object.entries(rejections)) {
          expect(await rejection, method)
            .to.have.property('message')
            .that.matches(/^the row of the table pets with the id 3 is malformed: name must be /);
        }
        expect(await catalogue.list({ limit: 1, after: 3n })).to.deep.equal({ pets: [] });
      });
    }

    it('assigns greater ids than theirs', async () => {
      await insert(700n, 'Tom');
      expect(await catalogue.add(REX)).to.have.property('id', 701n);
    });

    it('does not replay a creation with a row that is no animal', async () => {
      await catalogue.addOnce(REX, 'order 1');
      await query(url, 'UPDATE pets SET id = -5');
      expect(await rejectionOf(catalogue.addOnce(REX, 'order 1')))
        .to.have.property('message')
        .that.matches(/id -5 is malformed: id must be/);
    });

    it('names the counter if it has no row', async () => {
      await query(url, 'DELETE FROM pet_counter');
      expect(await rejectionOf(catalogue.add(REX)))
        .to.have.property('message')
        .that.contains('pet_counter');
    });
  });
});
