import { expect } from 'chai';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allPets } from '../../src/application/all-pets.js';
import { createAnimalStore } from '../../src/application/animal-store.js';
import type { ApiKeyRegistry, ApiKeys } from '../../src/domain/api-keys/api-keys.js';
import type { PetCatalogue } from '../../src/domain/pet-catalogue.js';
import { apiKeyManagerOf } from '../support/api-key-manager.js';
import type { Environment } from '../support/child.js';
import { outcomeOf, runCommand } from '../support/command.js';
import { makeTemporaryFolder } from '../support/temporary-folder.js';

/** How often each command is killed. */
const KILLS = Number(process.env['KILLS'] ?? 4);

/** What a store keeps, opened by the test beside the commands. */
export interface OpenedStore {
  readonly catalogue: PetCatalogue;
  readonly registry: ApiKeyRegistry;
  readonly apiKeys: ApiKeys;
}

/** The stores of a move that is killed, and what happens to them. */
export interface KilledMove {
  /** The settings of the store that the animals are imported into, and of the one that they are moved to. */
  readonly stores: readonly [old: Environment, moved: Environment];
  readonly open: (store: Environment) => Promise<OpenedStore>;
  /** How many animals are moved: enough for several seconds of each command. */
  readonly count: number;
  /** Makes the store fail for a while, between two runs of a command. @default nothing */
  readonly disturb?: ((kill: number) => Promise<void>) | undefined;
}

/**
 * Imports animals into a store, in which this process stores others meanwhile, exports them with the keys, and restores them in
 * another store. Kills the import and the restore at any moment, and runs them again. Then checks that each line is stored once, no
 * id was assigned twice, each key works, and each creation is replayed.
 */
export async function verifyKilledMoves({ stores: [old, moved], open, count, disturb }: KilledMove): Promise<void> {
  const folder = makeTemporaryFolder();
  const [animals, exported] = [join(folder, 'a.ndjson'), join(folder, 'zoo.ndjson')];
  const lines = Array.from({ length: count }, (_, i) => `{"name":"pet ${i}","categoryId":${i % 7}}\n`);
  writeFileSync(animals, lines.join(''));

  const { catalogue, registry } = await open(old);
  const keys = apiKeyManagerOf(registry);
  const [{ key }, lasting] = [await keys.issue({ name: 'anna' }), await keys.issue({ name: 'bob', lifetimeMs: 1e9 })];
  const others: bigint[] = [];
  const writer = createAnimalStore({ catalogue });
  const writeUntil = async (end: Promise<unknown>): Promise<void> => {
    const state = { isOver: false };
    const over = end.finally(() => (state.isOver = true));
    while (!state.isOver) {
      others.push((await writer.createPet({ name: `other ${others.length}`, categoryId: 7n })).id);
    }
    await over;
  };
  await runKilled(['import', animals], old, { beside: writeUntil, between: disturb });
  const { code, stdout, stderr } = await outcomeOf(['export'], old);
  expect(code, stderr).to.equal(0);
  writeFileSync(exported, stdout);
  await runKilled(['restore', exported], moved, { between: disturb });
  // The same import again finds each of its creations in the store that they were moved to.
  expect((await outcomeOf(['import', animals], moved)).stdout).to.include(`already there: ${count} animals\n`);

  const { catalogue: movedCatalogue, apiKeys } = await open(moved);
  expect(await apiKeys.verify(key)).to.deep.equal({ name: 'anna' });
  expect(await apiKeys.verify(lasting.key)).to.deep.equal({ name: 'bob' });
  const store = createAnimalStore({ catalogue: movedCatalogue });
  const names = new Set<string>();
  const ids: bigint[] = [];
  for await (const { id, name } of allPets(store)) {
    ids.push(id);
    names.add(name);
  }
  const all = count + others.length;
  expect({ animals: ids.length, names: names.size, ids: new Set(ids).size }).to.deep.equal({
    animals: all,
    names: all,
    ids: all,
  });
  expect(ids).to.include.members(others);
  const { id } = await store.createPet({ name: 'Rex', categoryId: 7n });
  expect(id > (ids.at(-1) as bigint), `${id} is greater than all restored ids`).to.equal(true);
}

/** What happens beside a command that is killed, until it has ended, and before it is run again. */
interface Disturbances {
  readonly beside?: ((end: Promise<unknown>) => Promise<void>) | undefined;
  readonly between?: ((kill: number) => Promise<void>) | undefined;
}

/** Kills a command at some moment, several times, and then lets it end. */
async function runKilled(args: readonly string[], env: Environment, { beside, between }: Disturbances): Promise<void> {
  for (let kill = 0; kill < KILLS; kill++) {
    const command = runCommand(args, env);
    const timer = setTimeout(() => command.kill('SIGKILL'), 300 + Math.random() * 1500);
    await Promise.all([command.exited, beside?.(command.exited)]);
    clearTimeout(timer);
    await between?.(kill);
  }
  const { code, stderr } = await outcomeOf(args, env);
  expect(code, stderr).to.equal(0);
}
