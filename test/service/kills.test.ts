import { expect } from 'chai';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allPets } from '../../src/application/all-pets.js';
import { createAnimalStore } from '../../src/application/animal-store.js';
import { apiKeyManagerOf } from '../support/api-key-manager.js';
import type { Environment } from '../support/child.js';
import { outcomeOf, runCommand } from '../support/command.js';
import { makeTemporaryFolder } from '../support/temporary-folder.js';
import { DATABASES } from './databases.js';
import { startHttpLoad } from './http-load.js';
import { KEY, serveOn } from './serve-on.js';
import { storedIds } from './stored-ids.js';

/** How often a service is killed, and how many requests of its load are answered before. */
const [ROUNDS, ANSWERED] = [3, 90];

/** How often each command is killed. */
const KILLS = Number(process.env['KILLS'] ?? 4);

/** How many animals a command transfers: enough for several seconds. */
const COUNT = 4000;

for (const { name, isServer, declare, use } of DATABASES) {
  declare(`animal-store killed at any moment, on ${name}`, function () {
    this.timeout(300_000);
    const { createStore, open, faults } = use();

    it('serve loses no acknowledged animal and assigns no id twice, however often it is killed under load', async () => {
      const store = await createStore();
      const acknowledged: string[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const service = await serveOn(store);
        const { load, created } = startHttpLoad(service, [KEY]);
        await load.next('answered', ANSWERED);
        service.kill('SIGKILL');
        expect(await service.exited).to.deep.equal({ code: null, signal: 'SIGKILL' });
        await load.ended();
        acknowledged.push(...created);
      }
      expect(acknowledged.length).to.be.greaterThan(ROUNDS);
      await expectStored(store, acknowledged);
    });

    if (isServer) {
      it('serve loses no acknowledged animal if another process on the database keeps serving', async () => {
        const store = await createStore();
        const [killed, survivor] = await Promise.all([serveOn(store), serveOn(store)]);
        const [lost, kept] = [startHttpLoad(killed, [KEY]), startHttpLoad(survivor, [KEY])];
        await Promise.all([lost, kept].map(async ({ load }) => load.next('answered', ANSWERED)));
        killed.kill('SIGKILL');
        await killed.exited;
        await kept.load.next('answered', ANSWERED);
        const [{ unexpected, unavailable }] = await Promise.all([kept.load.end(), lost.load.ended()]);
        expect({ unexpected, unavailable }).to.deep.equal({ unexpected: [], unavailable: 0 });
        await expectStored(store, [...lost.created, ...kept.created]);
      });
    }

    const meanwhile = isServer ? ', while the database fails' : '';
    it(`import and restore, run again, store each line once, assign no id twice, and move each key and creation${meanwhile}`, async () => {
      const [old, restored] = [await createStore(), await createStore()];
      const folder = makeTemporaryFolder();
      const [animals, exported] = [join(folder, 'a.ndjson'), join(folder, 'zoo.ndjson')];
      const lines = Array.from({ length: COUNT }, (_, i) => `{"name":"pet ${i}","categoryId":${i % 7}}\n`);
      writeFileSync(animals, lines.join(''));

      const { catalogue, registry } = await open(old);
      const keys = apiKeyManagerOf(registry);
      const [{ key }, lasting] = [
        await keys.issue({ name: 'anna' }),
        await keys.issue({ name: 'bob', lifetimeMs: 1e9 }),
      ];
      const others: bigint[] = [];
      const writer = createAnimalStore({ catalogue });
      /** Stores animals in this process until a command has ended. */
      const writeUntil = async (end: Promise<unknown>): Promise<void> => {
        const state = { isOver: false };
        const over = end.finally(() => (state.isOver = true));
        while (!state.isOver) {
          others.push((await writer.createPet({ name: `other ${others.length}`, categoryId: 7n })).id);
        }
        await over;
      };
      await runKilled(['import', animals], old, writeUntil);
      const { code, stdout, stderr } = await outcomeOf(['export'], old);
      expect(code, stderr).to.equal(0);
      writeFileSync(exported, stdout);
      await runKilled(['restore', exported], restored);
      // The same import again finds each of its creations in the store that they were transferred to.
      expect((await outcomeOf(['import', animals], restored)).stdout).to.include(`already there: ${COUNT} animals\n`);

      const { catalogue: newCatalogue, apiKeys } = await open(restored);
      expect(await apiKeys.verify(key)).to.deep.equal({ name: 'anna' });
      expect(await apiKeys.verify(lasting.key)).to.deep.equal({ name: 'bob' });
      const store = createAnimalStore({ catalogue: newCatalogue });
      const names = new Set<string>();
      const ids: bigint[] = [];
      for await (const { id, name } of allPets(store)) {
        ids.push(id);
        names.add(name);
      }
      const all = COUNT + others.length;
      expect([ids.length, names.size, new Set(ids).size]).to.deep.equal([all, all, all]);
      expect(ids).to.include.members(others);
      const { id } = await store.createPet({ name: 'Rex', categoryId: 7n });
      expect(id > (ids.at(-1) as bigint), `${id} is greater than all restored ids`).to.equal(true);
    });

    /** Asserts that a store has these animals, and no id twice. */
    async function expectStored(store: Environment, acknowledged: readonly string[]): Promise<void> {
      expect(new Set(acknowledged).size).to.equal(acknowledged.length);
      const service = await serveOn(store);
      const stored = await storedIds(service, KEY);
      expect(new Set(stored).size).to.equal(stored.length);
      expect(stored).to.include.members(acknowledged);
      await service.stop();
    }

    /** Kills a command at some moment, several times, each time before a fault of the database, and then lets it end. */
    async function runKilled(
      args: readonly string[],
      env: Environment,
      beside = async (end: Promise<unknown>): Promise<unknown> => end,
    ): Promise<void> {
      const disturbances = Object.values(faults);
      for (let kill = 0; kill < KILLS; kill++) {
        const command = runCommand(args, env);
        const timer = setTimeout(() => command.kill('SIGKILL'), 300 + Math.random() * 1500);
        await beside(command.exited);
        clearTimeout(timer);
        const disturbance = disturbances[kill % disturbances.length];
        await disturbance?.begin();
        await disturbance?.end();
      }
      const { code, stderr } = await outcomeOf(args, env);
      expect(code, stderr).to.equal(0);
    }
  });
}
