import { expect } from 'chai';
import { PostgresPetCatalogue } from '../../../src/adapters/postgres/index.js';
import { makeNextProgram } from '../../support/next-program.js';
import { usePostgres } from '../../support/postgres.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { openUntilEnd } from './open.js';

const REX = { name: 'Rex', categoryId: 7n } as const;
const STEP = 'ALTER TABLE pets ADD COLUMN colour text; CREATE INDEX pets_by_colour ON pets (colour)';

describe('a PostgreSQL database of this version, and a program of the next one', () => {
  const postgres = usePostgres();

  it('is refused by commands that only read, is brought to the next version by those that prepare a store, and is then refused here', async () => {
    const run = makeNextProgram('src/adapters/postgres/tables.ts', STEP);
    const url = await postgres.createUrl();
    const catalogue = new PostgresPetCatalogue(await openUntilEnd(url));
    const { pet } = await catalogue.addOnce(REX, 'key');
    const env = { POSTGRES_URL: url };

    expect(() => run(['export', '--store=postgres'], env)).to.throw(
      'the database has tables of version 1; this version of Animal Store needs version 2, to which the commands that prepare a store bring it',
    );
    expect(run(['keys', 'create', '--name=anna', '--store=postgres'], env)).to.match(/^key {6}ask_/m);
    expect(run(['export', '--store=postgres'], env)).to.match(
      /^\{"id":1,"name":"Rex","categoryId":7,"\w+":"[0-9a-f]{64}"\}$/m,
    );

    // A process that has connections goes on.
    expect(await catalogue.addOnce(REX, 'key')).to.deep.equal({ pet, replayed: true });
    expect(await catalogue.add(REX)).to.include(REX);
    const error = await rejectionOf(openUntilEnd(url));
    expect((error as Error).message).to.match(/ has tables of version 2; .* knows version 1 at most$/);
  });
});
