import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createAnimalStore } from 'animal-store';
import { verifyPetCatalogueContract } from 'animal-store/contract';
import { JsonFilePetCatalogue } from './json-file-pet-catalogue.js';

describe('JsonFilePetCatalogue', () => {
  /** @type {string} */
  let folder;
  let files = 0;
  const newFile = () => join(folder, `animals-${++files}.json`);

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'animals-'));
  });
  after(() => rm(folder, { recursive: true }));

  verifyPetCatalogueContract({
    createCatalogue: () => new JsonFilePetCatalogue(newFile()),
    runner: { describe, it },
  });

  it('finds its animals again, exactly, after it was closed', async () => {
    const file = newFile();
    const newPet = { name: 'Rex', categoryId: -9_223_372_036_854_775_808n };
    const { id } = await createAnimalStore({ catalogue: new JsonFilePetCatalogue(file) }).createPet(newPet);
    const store = createAnimalStore({ catalogue: new JsonFilePetCatalogue(file) });
    assert.deepEqual(await store.getPet(id), { id, ...newPet });
    assert.equal((await store.createPet(newPet)).id, id + 1n);
    assert.match(await readFile(file, 'utf8'), /"categoryId": "-9223372036854775808"/);
  });

  it('goes on after a write that failed', async () => {
    const catalogue = new JsonFilePetCatalogue(join(folder, 'no such folder', 'animals.json'));
    const newPet = { name: 'Rex', categoryId: 7n };
    await assert.rejects(catalogue.add(newPet), { code: 'ENOENT' });
    await assert.rejects(catalogue.add(newPet), { code: 'ENOENT' });
  });

  it('leaves nothing behind but its files', async () => {
    assert.deepEqual(
      (await readdir(folder)).filter((file) => !/^animals-\d+\.json$/.test(file)),
      [],
    );
  });
});
