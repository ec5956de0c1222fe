import { expect } from 'chai';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allPets } from '../../src/application/all-pets.js';
import { createAnimalStore } from '../../src/application/animal-store.js';
import type { PetCatalogue } from '../../src/domain/pet-catalogue.js';
import type { Environment } from '../support/child.js';
import { outcomeOf, runCommand } from '../support/command.js';
import { makeTemporaryFolder } from '../support/temporary-folder.js';

/** How many animals are moved. */
const COUNT = 10_000;

/** How often each command is killed. */
const KILLS = Number(process.env['KILLS'] ?? 4);

/** The stores of a move that is killed, and what happens to them. */
export interface KilledMove {
  /** The settings of the store that the animals are imported into, and of the one that they are moved to. */
  readonly stores: readonly [old: Environment, moved: Environment];
  /** Opens the catalogue of a store. */
  readonly open: (store: Environment) => Promise<PetCatalogue>;
  /** Makes the store fail for a while, between two runs of a command. @default nothing */
  readonly disturb?: ((kill: number) => Promise<void>) | undefined;
}

/**
 * Imports animals into a store, which another process uses meanwhile, exports them, and restores them in another store. Kills the
 * import and the restore at any moment, and runs them again. Then checks that each line is stored once, no id was assigned twice, and
 * each creation is replayed.
 */
export async function verifyKilledMoves({ stores: [old, moved], open, disturb }: KilledMove): Promise<void> {
  const folder = makeTemporaryFolder();
  const [animals, exported] = [join(folder, 'a.ndjson'), join(folder, 'zoo.ndjson')];
  const lines = Array.from({ length: COUNT }, (_, i) => `{"name":"pet ${i}","categoryId":${i % 7}}\n`);
  writeFileSync(animals, lines.join(''));

  const others: bigint[] = [];
  const writer = createAnimalStore({ catalogue: await open(old) });
  await runKilled(['import', animals], old, async (kill) => {
    others.push((await writer.createPet({ name: `other ${kill}`, categoryId: 7n })).id);
    await disturb?.(kill);
  });
  const { code, stderr } = await outcomeOf(['export', `--output=${exported}`], old);
  expect(code, stderr).to.equal(0);
  await runKilled(['restore', exported], moved, disturb);
  // The same import again finds each of its creations in the store that they were moved to.
  expect((await outcomeOf(['import', animals], moved)).stdout).to.include(`already there: ${COUNT} animals\n`);

  const store = createAnimalStore({ catalogue: await open(moved) });
  const names = new Set<string>();
  const ids: bigint[] = [];
  for await (const { id, name } of allPets(store)) {
    ids.push(id);
    names.add(name);
  }
  const count = COUNT + others.length;
  expect({ animals: ids.length, names: names.size, ids: new Set(ids).size }).to.deep.equal({
    animals: count,
    names: count,
    ids: count,
  });
  expect(ids).to.include.members(others);
  const { id } = await store.createPet({ name: 'Rex', categoryId: 7n });
  expect(id > (ids.at(-1) as bigint), `${id} is greater than all restored ids`).to.equal(true);
}

/** Kills a command at some moment, several times, and then lets it end. */
async function runKilled(
  args: readonly string[],
  env: Environment,
  between: ((kill: number) => Promise<void>) | undefined,
): Promise<void> {
  for (let kill = 0; kill < KILLS; kill++) {
    const command = runCommand(args, env);
    const timer = setTimeout(() => command.kill('SIGKILL'), 300 + Math.random() * 1500);
    await command.exited;
    clearTimeout(timer);
    await between?.(kill);
  }
  const { code, stderr } = await outcomeOf(args, env);
  expect(code, stderr).to.equal(0);
}
