import { expect } from 'chai';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { storeFileOf } from '../../../src/adapters/files/store-file.js';
import { InMemoryPetCatalogue } from '../../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { exportStore } from '../../../src/application/moving/export-store.js';
import { catalogueOfFile } from '../../../src/bootstrap/files/catalogue-of-file.js';
import { apiKeyManagerOf } from '../../support/api-key-manager.js';
import { InMemoryApiKeys } from '../../../src/adapters/in-memory/in-memory-api-keys.js';
import { ConfigError } from '../../../src/bootstrap/settings/config-error.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { makeTemporaryFolder } from '../../support/temporary-folder.js';
import { KEY, start, storeOf } from '../in-process.js';

const REX = { name: 'Rex', categoryId: 7n } as const;

describe('the animals that the store memory begins with', () => {
  let folder: string;

  beforeEach(() => (folder = makeTemporaryFolder()));

  const file = (name: string, content: string): string => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };

  const namesIn = async (path: string): Promise<string[]> => {
    const { pets } = await (await catalogueOfFile(path)).list({ limit: 100 });
    return pets.map(({ id, name }) => `${id} ${name}`);
  };

  const errorOf = async (path: string): Promise<string> =>
    ((await rejectionOf(catalogueOfFile(path))) as Error).message.replace(folder, '…');

  it('are those of a CSV or an NDJSON file, numbered from 1', async () => {
    expect(await namesIn(file('a.csv', 'name,categoryId\nRex,7\nTom,8\n'))).to.deep.equal(['1 Rex', '2 Tom']);
    const lines = '{"name":"Rex","categoryId":7}\n{"name":"Tom","categoryId":8}\n';
    expect(await namesIn(file('a.ndjson', lines))).to.deep.equal(['1 Rex', '2 Tom']);
  });

  it('are those of an export, with their ids and the remembered creations, but without its keys', async () => {
    const old = new InMemoryPetCatalogue();
    await old.restore([{ id: 5n, ...REX }]);
    await old.addOnce({ name: 'Tom', categoryId: 1n }, 'key');
    const registry = new InMemoryApiKeys();
    await apiKeyManagerOf(registry).issue({ name: 'anna' });
    let text = '';
    for await (const part of storeFileOf(exportStore({ catalogue: old, registry }), new Date())) text += part;
    const path = file('zoo.ndjson', text);
    expect(await namesIn(path)).to.deep.equal(['5 Rex', '6 Tom']);
    const again = await (await catalogueOfFile(path)).addOnce({ name: 'Tom', categoryId: 1n }, 'key');
    expect(again).to.deep.include({ replayed: true });
    expect(await errorOf(file('cut.ndjson', text.slice(0, -30)))).to.match(/^…\/cut\.ndjson: line \d: /);
  });

  it('are refused with the line of the first that breaks a rule', async () => {
    expect(await errorOf(file('a.csv', 'name,categoryId\nRex,7\nTom,x\n'))).to.match(
      /^…\/a\.csv: line 3: categoryId must be an integer/,
    );
    expect(await errorOf(file('a.ndjson', '{"name":"Rex","categoryId":7}\n[]\n'))).to.equal(
      '…/a.ndjson: line 2: must be a JSON object',
    );
    expect(await errorOf(join(folder, 'none.csv'))).to.equal('…/none.csv cannot be read');
  });

  it('are served, or refuse the start', async () => {
    const { origin } = await start({ animals: file('a.csv', 'name,categoryId\nRex,7\n') });
    const response = await fetch(`${origin}/v1/pets/1`, { headers: { Authorization: `Bearer ${KEY}` } });
    expect(await response.json()).to.include({ name: 'Rex' });
    const starting = start({ animals: file('b.csv', 'name,categoryId\n,7\n') });
    expect(String(await rejectionOf(starting))).to.include('b.csv: line 2: name must be');
  });

  it('are for the store memory alone', async () => {
    const error = await rejectionOf(start({ store: storeOf(), animals: 'a.csv' }));
    expect(error).to.be.instanceOf(ConfigError);
    expect(error)
      .to.have.deep.property('errors')
      .that.includes('--animals needs the store memory: import the file into another store');
  });
});
