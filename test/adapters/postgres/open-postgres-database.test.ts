import { expect } from 'chai';
import { openPostgresDatabase, PostgresPetCatalogue } from '../../../src/adapters/postgres/index.js';
import { PATIENT } from '../../support/patience.js';
import { query } from '../../support/postgres-query.js';
import { usePostgres } from '../../support/postgres.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { openUntilEnd } from './open.js';

const REX = { name: 'Rex', categoryId: 7n } as const;

describe('openPostgresDatabase', () => {
  const postgres = usePostgres();

  async function rejectionOn(url: string, access: 'prepare' | 'existing' | 'read-only' = 'prepare'): Promise<Error> {
    return (await rejectionOf(openPostgresDatabase(url, { ...PATIENT, access }))) as Error;
  }

  async function tablesOf(url: string): Promise<number> {
    return (await query(url, 'SELECT 1 FROM pg_tables WHERE schemaname = current_schema()')).length;
  }

  it('creates the tables once, however many do so concurrently', async () => {
    const url = await postgres.createUrl();
    const opened = await Promise.all(Array.from({ length: 8 }, async () => openUntilEnd(url)));
    const pets = await Promise.all(opened.map(async (database) => new PostgresPetCatalogue(database).add(REX)));
    expect(new Set(pets.map(({ id }) => id)).size).to.equal(8);
    expect(await tablesOf(url)).to.equal(4);
  });

  for (const access of ['existing', 'read-only'] as const) {
    it(`creates nothing to use a store that is there (${access})`, async () => {
      const url = await postgres.createUrl();
      expect((await rejectionOn(url, access)).message).to.match(
        /^PostgreSQL at \S+: the database has no tables of Animal Store$/,
      );
      expect(await tablesOf(url)).to.equal(0);
    });
  }

  it('closes the connection, and rejects, if onConnection throws', async () => {
    const onConnection = (): void => {
      throw new Error('the observer failed');
    };
    const error = await rejectionOf(openPostgresDatabase(await postgres.createUrl(), { ...PATIENT, onConnection }));
    expect((error as Error).message).to.contain('the observer failed');
  });

  it('refuses a database with another encoding than UTF-8 by its name', async () => {
    const url = await postgres.createDatabase(
      `ENCODING 'SQL_ASCII' LOCALE_PROVIDER libc LOCALE 'C' TEMPLATE template0`,
    );
    expect((await rejectionOn(url)).message).to.contain('has the encoding SQL_ASCII');
    expect(await tablesOf(url)).to.equal(0);
  });

  it('refuses tables of a later version by their version', async () => {
    const url = await postgres.createUrl();
    await openUntilEnd(url);
    await query(url, 'UPDATE animal_store SET version = 7');
    const message = 'has tables of version 7; this version of Animal Store knows version 1 at most';
    expect((await rejectionOn(url)).message).to.contain(message);
    expect((await rejectionOn(url, 'read-only')).message).to.contain(message);
  });

  it('refuses a schema with a table of another program, and creates nothing in it', async () => {
    const url = await postgres.createUrl();
    await query(url, 'CREATE TABLE pets (id uuid)');
    const error = await rejectionOn(url);
    expect(error.message).to.contain('belongs to another program').and.to.contain('"pets"');
    expect(await tablesOf(url)).to.equal(1);
  });

  it('says what a user lacks who may not create tables', async () => {
    const url = await postgres.createUrl();
    const name = `animal-store-test-${Date.now()}`;
    await query(url, `CREATE ROLE "${name}" LOGIN PASSWORD 'secret'`);
    const theirs = new URL(url);
    theirs.username = name;
    theirs.password = 'secret';
    try {
      const schema = /search_path=(\S+)/.exec(theirs.searchParams.get('options') ?? '')?.[1] ?? '';
      await query(url, `GRANT USAGE ON SCHEMA "${schema}" TO "${name}"`);
      expect((await rejectionOn(theirs.href)).message).to.contain('may not create the tables');
    } finally {
      await query(url, `DROP OWNED BY "${name}"; DROP ROLE "${name}"`);
    }
  });

  it('opens a store for a user with only the rights that the document lists', async () => {
    const url = await postgres.createUrl();
    const name = `animal-store-test-${Date.now()}`;
    const schema = /search_path=(\S+)/.exec(new URL(url).searchParams.get('options') ?? '')?.[1] ?? '';
    await openUntilEnd(url);
    await query(
      url,
      `CREATE ROLE "${name}" LOGIN PASSWORD 'secret';
      GRANT USAGE ON SCHEMA "${schema}" TO "${name}";
      GRANT SELECT ON animal_store TO "${name}";
      GRANT SELECT, INSERT ON pets TO "${name}";
      GRANT SELECT, UPDATE ON pet_counter TO "${name}";
      GRANT SELECT, INSERT, UPDATE ON api_keys TO "${name}"`,
    );
    const theirs = new URL(url);
    theirs.username = name;
    theirs.password = 'secret';
    const database = await openPostgresDatabase(theirs.href, PATIENT);
    try {
      const catalogue = new PostgresPetCatalogue(database);
      const { pet } = await catalogue.addOnce(REX, 'order 1');
      expect(await catalogue.addOnce(REX, 'order 1')).to.deep.equal({ pet, replayed: true });
      expect(await catalogue.restore([{ pet: { ...pet, id: 5n } }])).to.have.property('restored', 1);
      expect((await catalogue.list({ limit: 9 })).pets).to.have.length(2);
    } finally {
      await database.close();
      await query(url, `DROP OWNED BY "${name}"; DROP ROLE "${name}"`);
    }
  });

  it('closes more than once, and refuses calls from then on', async () => {
    const database = await openPostgresDatabase(await postgres.createUrl(), PATIENT);
    const catalogue = new PostgresPetCatalogue(database);
    await Promise.all([database.close(), database.close()]);
    expect(await rejectionOf(catalogue.find(1n))).to.have.property('message', 'the PostgreSQL database is closed');
  });
});

describe('an option of openPostgresDatabase', () => {
  const url = 'postgres://127.0.0.1:1/animals';

  for (const value of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31]) {
    it(`cannot be a deadline of ${value}`, async () => {
      const error = await rejectionOf(openPostgresDatabase(url, { deadlineMs: value }));
      expect(error).to.be.instanceOf(TypeError).and.to.have.property('message').that.contains('deadlineMs');
    });
  }

  for (const value of [0, 1.5, Number.NaN]) {
    it(`cannot be a maximum of ${value} connections`, async () => {
      const error = await rejectionOf(openPostgresDatabase(url, { maxConnections: value }));
      expect(error).to.be.instanceOf(TypeError).and.to.have.property('message').that.contains('maxConnections');
    });
  }
});
