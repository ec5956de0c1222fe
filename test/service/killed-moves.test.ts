import { expect } from 'chai';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allPets } from '../../src/application/all-pets.js';
import { createAnimalStore } from '../../src/application/animal-store.js';
import { outcomeOf, runCommand } from '../support/command.js';
import { describeWithSqlite, importSqlite, openUntilEnd } from '../support/sqlite.js';
import { makeTemporaryFolder } from '../support/temporary-folder.js';

const COUNT = 20_000;
const KILLS = 4;

describeWithSqlite('animal-store import and restore, killed at any moment and run again', function () {
  this.timeout(300_000);

  /** Runs a command again and again: kills it at some moment a few times, and then lets it end. Resolves to what it printed last. */
  async function runKilled(args: readonly string[], env: Readonly<Record<string, string>>): Promise<string> {
    for (let i = 0; i < KILLS; i++) {
      const command = runCommand(args, env);
      const timer = setTimeout(() => command.kill('SIGKILL'), 300 + Math.random() * 1500);
      await command.exited;
      clearTimeout(timer);
    }
    const { code, stdout, stderr } = await outcomeOf(args, env);
    expect(code, stderr).to.equal(0);
    return stdout;
  }

  it('stores each line once, assigns no id twice, and replays each creation of the old store', async () => {
    const folder = makeTemporaryFolder();
    const [animals, exported] = [join(folder, 'a.ndjson'), join(folder, 'zoo.ndjson')];
    const lines = Array.from({ length: COUNT }, (_, i) => `{"name":"pet ${i}","categoryId":${i % 7}}\n`);
    writeFileSync(animals, lines.join(''));
    const [old, moved] = ['old.db', 'new.db'].map((name) => ({ STORE: 'sqlite', SQLITE_FILE: join(folder, name) }));
    if (old === undefined || moved === undefined) throw new Error('there are two stores');
    await runKilled(['import', animals], old);
    expect((await outcomeOf(['export', `--output=${exported}`], old)).code).to.equal(0);
    await runKilled(['restore', exported], moved);
    // The same import again finds each of its creations in the store that they were moved to.
    expect((await outcomeOf(['import', animals], moved)).stdout).to.include(`already there: ${COUNT} animals\n`);

    const { SqlitePetCatalogue } = await importSqlite();
    const store = createAnimalStore({ catalogue: new SqlitePetCatalogue(await openUntilEnd(moved.SQLITE_FILE)) });
    const names = new Set<string>();
    let [last, count] = [0n, 0];
    for await (const { id, name } of allPets(store)) {
      expect(id > last, `${id} follows ${last}`).to.equal(true);
      last = id;
      count++;
      names.add(name);
    }
    expect({ animals: count, names: names.size }).to.deep.equal({ animals: COUNT, names: COUNT });
    expect(Number((await store.createPet({ name: 'Rex', categoryId: 7n })).id)).to.equal(Number(last) + 1);
  });
});
