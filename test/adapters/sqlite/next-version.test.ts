import { expect } from 'chai';
import { makeNextProgram } from '../../support/next-program.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { catalogueOn, describeWithSqlite, newDatabaseFile, openUntilEnd } from '../../support/sqlite.js';

const REX = { name: 'Rex', categoryId: 7n } as const;
const STEP = 'ALTER TABLE pets ADD COLUMN colour TEXT; CREATE INDEX petsByColour ON pets (colour)';

describeWithSqlite('a file of this version, and a program of the next one', () => {
  it('is refused by commands that only read, is brought to the next version by those that prepare a store, and is then refused here', async () => {
    const run = makeNextProgram('src/adapters/sqlite/schema.ts', STEP);
    const file = newDatabaseFile();
    const catalogue = await catalogueOn(await openUntilEnd(file));
    const { pet } = await catalogue.addOnce(REX, 'key');
    const store = `--sqlite-file=${file}`;

    expect(() => run(['export', store])).to.throw(
      `the SQLite file ${file} has tables of version 1; this version of Animal Store needs version 2, to which the commands that prepare a store bring it`,
    );
    expect(run(['keys', 'create', '--name=anna', store])).to.match(/^key {6}ask_/m);
    expect(run(['export', store])).to.match(/^\{"id":1,"name":"Rex","categoryId":7,"\w+":"[0-9a-f]{64}"\}$/m);

    // A process that has the file open goes on.
    expect(await catalogue.addOnce(REX, 'key')).to.deep.equal({ pet, replayed: true });
    expect(await catalogue.add(REX)).to.include(REX);
    const error = await rejectionOf(openUntilEnd(file));
    expect((error as Error).message).to.match(/ has tables of version 2; .* knows version 1 at most$/);
  });
});
